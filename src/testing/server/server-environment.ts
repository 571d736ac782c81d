import { join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder of Node's compile cache, so that each further server starts faster. */
const compiled = fileURLToPath(new URL('../../../.cache/compiled', import.meta.url))

/**
 * Returns the environment without variables that configure a server, which the person who runs the tests may
 * have set.
 */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('TESSERA_'))
  return {
    ...Object.fromEntries(entries),
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: compiled,
    // Tests of backups set the flag. A copy in the background would take the CPU from other tests.
    TESSERA_BACKUP_EVERY: 'off',
  }
}

/** Returns the path of an entry: the build of it if the test run made one (see `buildForTests`), or the source. */
export function entryFile(source: URL): string {
  const built = process.env.BUILT_FOR_TESTS
  const path = fileURLToPath(source)
  return built === undefined ? path : join(built, `${parse(path).name}.js`)
}
