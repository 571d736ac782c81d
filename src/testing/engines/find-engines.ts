import { findPostgresPrograms } from './postgres-server.ts'
import { findRedisProgram } from './redis-server.ts'
import { findS3Program } from './s3-server.ts'

/** Prints which servers for tests this machine lacks, after an attempt to install them. */
const engines = [
  {
    name: 'PostgreSQL',
    suites: [
      'src/server/storage/{migrate,postgres}/**',
      'src/server/storage/s3/server-with-s3.test.ts',
    ],
    remedy: 'apt-get install postgresql',
    isHere: (await findPostgresPrograms()) !== null,
  },
  {
    name: 'S3',
    suites: ['src/server/storage/{migrate,s3}/**'],
    remedy: 'go install github.com/versity/versitygw/cmd/versitygw@v1.8.0',
    isHere: (await findS3Program()) !== null,
  },
  {
    name: 'Redis',
    suites: ['src/server/redis/**'],
    remedy: 'apt-get install redis-server',
    isHere: (await findRedisProgram()) !== null,
  },
]
const missing = engines.filter(({ isHere }) => !isHere)
console.log(JSON.stringify(missing.map(({ isHere: _, ...engine }) => engine)))
