import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { buildServer, serverEntries } from './build-modules.ts'
import { hashInputs } from './page-inputs.ts'
import { projectRoot } from './project-root.ts'

const INPUTS = ['package-lock.json', 'src/contract', 'src/demo', 'src/server', 'src/testing']

/** Beside the page, which the server looks for from there. */
const dist = join(projectRoot, 'dist')
const PREFIX = 'for-tests-'

/** Runs of other versions of the source may go on beside this one, but not for so long. */
const KEPT_MS = 3_600_000

/**
 * Builds what tests start as processes and threads: the server, what hosts several, and the entries of
 * their threads, each one file. To load such a file takes a tenth of what the source takes, where each
 * thread reads and strips its modules anew, and tests start hundreds.
 *
 * @returns The folder. Its name says what it was built from, so that it is never written to again.
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
  await buildServer(fresh, serverEntries('server', 'testing'))
  // Another run may have been faster.
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true }))
  return folder
}

/**
 * Has the tests' processes, and those that they start, find what is built: its folder is in
 * `BUILT_FOR_TESTS`. Where it cannot be built they take the source, and the tests that need it fail.
 */
export async function takeBuiltForTests(): Promise<void> {
  try {
    process.env.BUILT_FOR_TESTS = await buildForTests()
  } catch (error) {
    console.warn(`Tests start the source, since it cannot be built: ${error}`)
  }
}

/**
 * For Vitest: threads and processes that the source starts come from the build. Node caches the compiled code of
 * all that tests load: each library opens two or three threads, which compile the same modules.
 */
export async function startingBuiltEntries(): Promise<Plugin> {
  process.env.NODE_COMPILE_CACHE ||= join(projectRoot, '.cache/compiled')
  await takeBuiltForTests()
  const beside =
    /new URL\(`(\.\/([\w-]+))\$\{extname\(import\.meta\.url\)\}`,\s*import\.meta\.url\)/g
  // Vitest keeps what a plugin made of a file, so the folder, which changes, must not be part of it.
  const built = 'process.env.BUILT_FOR_TESTS'
  const entry = `new URL(${built} ? "file://" + ${built} + "/$2.js" : "$1.ts", import.meta.url)`
  return {
    name: 'built-entries-of-tests',
    enforce: 'pre',
    transform: (code, id) => (id.includes('/src/server/') ? code.replace(beside, entry) : null),
  }
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
