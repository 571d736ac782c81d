import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { hashPageInputs } from './page-inputs.ts'
import { projectRoot } from './project-root.ts'

/** Folder from which the server serves the built page. */
export const pageFolder = join(projectRoot, 'dist/page')

/** File with the hash of the page's sources. It is outside the page's folder, so that it is not served. */
const stampFile = join(projectRoot, 'dist/page.sha256')

/** True if the page must be built before it can be served. */
export async function isPageStale(): Promise<boolean> {
  const stamp = await readFile(stampFile, 'utf8').catch(() => '')
  return stamp !== (await hashPageInputs(projectRoot))
}

/**
 * Builds the page into `dist/page` if it is missing or out of date.
 *
 * Vite runs in a child process, so that a server started afterwards does not keep it in memory. It writes to
 * a new folder that replaces the old page at the end, so that a running server never serves a half-built one.
 *
 * @returns True if the page was built.
 * @throws The build failed. The message contains Vite's output.
 */
export async function buildPage(options: { onBuild?: () => void } = {}): Promise<boolean> {
  const inputs = await hashPageInputs(projectRoot)
  if (inputs === (await readFile(stampFile, 'utf8').catch(() => ''))) return false
  options.onBuild?.()
  const fresh = `${pageFolder}-${process.pid}`
  await mkdir(join(projectRoot, 'dist'), { recursive: true })
  try {
    await runVite(['build', '--outDir', fresh, '--logLevel', 'warn'])
    await compressFiles(fresh)
    await rm(stampFile, { force: true })
    await rm(pageFolder, { recursive: true, force: true })
    await rename(fresh, pageFolder)
    await writeFile(stampFile, inputs)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  return true
}

/** Writes a Brotli and a gzip file next to each text file. The server sends these to browsers that accept them. */
async function compressFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!/\.(?:html|js|css|svg|txt)$/.test(name)) continue
    const bytes = await readFile(join(folder, name))
    await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(bytes))
    await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }))
  }
}

async function runVite(args: string[]): Promise<void> {
  const vite = join(projectRoot, 'node_modules/vite/bin/vite.js')
  try {
    await promisify(execFile)(process.execPath, [vite, ...args], {
      cwd: projectRoot,
      // Under the test runner NODE_ENV is "test", which would build React's development version.
      env: { ...process.env, NODE_ENV: 'production' },
    })
  } catch (error) {
    const said =
      error instanceof Error && 'stdout' in error && 'stderr' in error
        ? `${error.stdout}${error.stderr}`.trim()
        : String(error)
    throw new Error(`The page could not be built.\n${said}`, { cause: error })
  }
}
