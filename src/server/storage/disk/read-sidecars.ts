import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { basename } from 'node:path'
import { READ_NO_LINK } from './system-errors.ts'
import { systemPath } from './system-path.ts'

// Sync I/O for the same reason as in take-in-file.ts.

export const SIDECAR_EXTENSIONS: readonly string[] = ['txt', 'json', 'yaml', 'yml', 'xmp']

const MAX_BYTES = 512 * 1024

/** `O_NONBLOCK`: opening a pipe must not wait for a writer. */
const READING = READ_NO_LINK | (constants.O_NONBLOCK ?? 0)

/**
 * Reads the text files that programs write beside an image: `fox.txt` or `fox.png.txt` for `fox.png`. Leaves out links,
 * large files and files that are not UTF-8.
 *
 * @returns The texts by file name.
 */
export const readSidecars = (imagePath: string): Record<string, string> => {
  const stem = imagePath.replace(/\.[^./\\]*$/, '')
  const texts: Record<string, string> = {}
  for (const extension of SIDECAR_EXTENSIONS) {
    for (const path of [`${stem}.${extension}`, `${imagePath}.${extension}`]) {
      const text = readText(path)
      if (text !== null) texts[basename(path).toWellFormed()] = text
    }
  }
  return texts
}

const readText = (path: string): string | null => {
  let file: number | null = null
  try {
    file = openSync(systemPath(path), READING)
    const stats = fstatSync(file)
    if (!stats.isFile() || stats.size === 0 || stats.size > MAX_BYTES) return null
    const bytes = Buffer.alloc(stats.size)
    const length = readSync(file, bytes)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length))
  } catch {
    // Missing, unreadable or no text. The image is imported without it.
    return null
  } finally {
    if (file !== null) closeSync(file)
  }
}
