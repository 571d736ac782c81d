import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { buildServer, serverEntries } from './build-server.ts'
import { hashInputs } from './page-inputs.ts'
import { projectRoot } from './project-root.ts'

const INPUTS = [
  ...['package-lock.json', 'src/contract', 'src/client', 'src/demo', 'src/server', 'src/testing'],
  'e2e/fake-invokeai',
]

/** Next to the page, because the server finds the page by a relative path. */
const dist = join(projectRoot, 'dist')
const PREFIX = 'for-tests-'

/** Other runs may still use builds of other versions, but not for longer than this. */
const KEPT_MS = 3_600_000

/**
 * Builds the processes and threads that tests start into one file each: the server, the server host, the fake
 * InvokeAI, and their threads. Loading such a file takes a tenth of the time of the source, whose modules each thread would
 * read and strip again, and tests start hundreds of threads.
 *
 * @returns The folder. Its name contains the hash of its sources, so that it is never overwritten.
 */
export async function buildForTests(): Promise<string> {
  const hash = await hashInputs(projectRoot, INPUTS)
  const folder = join(dist, `${PREFIX}${hash.slice(0, 16)}`)
  const now = new Date()
  const isThere = await utimes(folder, now, now).then(
    () => true,
    () => false,
  )
  if (isThere) return folder
  await removeOld()
  const fresh = `${folder}-${process.pid}`
  await buildServer(fresh, [
    ...serverEntries('server', 'testing'),
    'e2e/fake-invokeai/fake-invokeai.ts',
  ])
  // Another run may have finished first.
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true }))
  return folder
}

/**
 * Builds for tests and sets `BUILT_FOR_TESTS` to the folder for their processes and child processes. If the
 * build fails, they use the source, and tests that need the build fail.
 */
export async function prepareBuildForTests(): Promise<void> {
  try {
    process.env.BUILT_FOR_TESTS = await buildForTests()
  } catch (error) {
    console.warn(`Tests start the source, since it cannot be built: ${error}`)
  }
}

/**
 * Returns a Vitest plugin that starts threads and processes from the build. It also enables Node's compile
 * cache: each library opens two or three threads, which would all compile the same modules.
 */
export async function startingBuiltEntries() {
  process.env.NODE_COMPILE_CACHE ||= join(projectRoot, '.cache/compiled')
  await prepareBuildForTests()
  const entryUrl = /new URL\(`\.\/([^`]*)\$\{extname\(([\w.]+)\)\}`,\s*\2\)/g
  // Vitest caches the transformed file, so it must not contain the folder, which changes.
  const built = 'process.env.BUILT_FOR_TESTS'
  const entry = `new URL(${built} ? \`file://\${${built}}/$1.js\` : \`./$1.ts\`, $2)`
  return {
    name: 'built-entries-of-tests',
    enforce: 'pre',
    transform: (code: string, id: string) =>
      id.includes('/src/server/') ? code.replace(entryUrl, entry) : null,
  } satisfies Plugin
}

async function removeOld(): Promise<void> {
  await mkdir(dist, { recursive: true })
  for (const name of await readdir(dist)) {
    if (!name.startsWith(PREFIX)) continue
    const path = join(dist, name)
    if (Date.now() - (await stat(path)).mtimeMs > KEPT_MS)
      await rm(path, { recursive: true, force: true })
  }
}
