import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What the server is made of. */
const LAYERS = ['contract', 'demo', 'server']

/**
 * Lays a clone of the server into an empty folder where one package, and it alone, was never installed.
 *
 * @returns Its `main.ts`.
 */
export async function sourceWithout(packageName: string, folder: string): Promise<string> {
  for (const layer of LAYERS) {
    const from = join(root, 'src', layer)
    const filter = (path: string) => !path.endsWith('.test.ts')
    await cp(from, join(folder, 'src', layer), { recursive: true, filter })
  }
  await cp(join(root, 'package.json'), join(folder, 'package.json'))
  await mkdir(join(folder, 'dist'))
  await symlink(join(root, 'dist/page'), join(folder, 'dist/page'))
  await mkdir(join(folder, 'node_modules'))
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name === packageName) continue
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  return join(folder, 'src/server/main.ts')
}
