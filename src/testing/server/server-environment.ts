import { join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where Node keeps what it has compiled, so that each further server starts faster. */
const compiled = fileURLToPath(new URL('../../../.cache/compiled', import.meta.url))

/** What is set for the person who runs the tests says nothing about the server under test. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('TESSERA_'))
  return {
    ...Object.fromEntries(entries),
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: compiled,
    // A test that wants backups has the flag. A copy in the background would take the CPU from other tests.
    TESSERA_BACKUP_EVERY: 'off',
  }
}

/**
 * An entry of the source; or, where the test run built it (`buildForTests`, which says why), what was
 * built from it.
 */
export function entryFile(source: URL): string {
  const built = process.env.BUILT_FOR_TESTS
  const path = fileURLToPath(source)
  return built === undefined ? path : join(built, `${parse(path).name}.js`)
}
