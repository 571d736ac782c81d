import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Finds the nearest package.json above a folder, because a build can be nested deeper than the source. */
const packageFileAbove = (folder: string): string => {
  const path = join(folder, 'package.json')
  return existsSync(path) ? path : packageFileAbove(dirname(folder))
}

export const version: string = JSON.parse(
  readFileSync(packageFileAbove(import.meta.dirname), 'utf8'),
).version
