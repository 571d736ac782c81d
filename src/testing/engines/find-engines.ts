import { findPostgresPrograms } from './postgres-server.ts'

/** Prints which servers for tests this machine lacks, after an attempt to install them. */
const engines = [
  {
    name: 'PostgreSQL',
    suites: 'src/server/storage/postgres',
    remedy: 'apt-get install postgresql',
    isHere: (await findPostgresPrograms()) !== null,
  },
]
const missing = engines.filter(({ isHere }) => !isHere)
console.log(JSON.stringify(missing.map(({ isHere: _, ...engine }) => engine)))
