import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The nearest package.json above a folder: a build may lie deeper than the source does. */
const packageFileAbove = (folder: string): string => {
  const path = join(folder, 'package.json')
  return existsSync(path) ? path : packageFileAbove(dirname(folder))
}

/** The version of the package. */
export const version: string = JSON.parse(
  readFileSync(packageFileAbove(import.meta.dirname), 'utf8'),
).version
