import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { drawFile } from './draw-file.ts'

/** Returns the time an hour ago, in whole seconds, when no file counts as being written any more. */
const anHourAgo = () => new Date(Math.floor(Date.now() / 1000 - 3600) * 1000)

/**
 * Writes files below a folder, dated an hour ago. A value is the content; `null` draws an image that is
 * different for each path.
 */
export async function writeTree(
  folder: string,
  files: Readonly<Record<string, Uint8Array | string | null>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, content ?? (await drawnBytes(path)))
    await utimes(target, anHourAgo(), anHourAgo())
  }
}

/** Returns the bytes of the image that is drawn for a path. */
export async function drawnBytes(path: string): Promise<Uint8Array> {
  const file = await drawFile(extname(path) === '' ? `${path}.png` : path)
  return new Uint8Array(await file.arrayBuffer())
}
