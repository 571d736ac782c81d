import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemCode } from './system-errors.ts'

/**
 * Makes a folder and its parents, unless they exist.
 *
 * Not with `recursive`: Node 24 then tries for ever where a parent exists and takes no folder, as in `/proc`.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
    if (systemCode(error) !== 'ENOENT' || existsSync(dirname(path))) throw error
    makeFolder(dirname(path))
    makeFolder(path)
  }
}
