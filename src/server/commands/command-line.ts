import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '#server/start/start-error.ts'
import { systemCode } from '#server/storage/disk/system-errors.ts'

/** Exit code of a command stopped with Ctrl+C. */
export const STOPPED = 130

/** Returns a signal that SIGINT, SIGTERM or a closed stdout (`head`) aborts. The second signal exits at once. */
export function stopOnSignals(): AbortSignal {
  const stopping = new AbortController()
  const stop = () => {
    if (stopping.signal.aborted) process.exit(STOPPED)
    stopping.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  process.stdout.on('error', (error) => {
    if (systemCode(error) !== 'EPIPE') throw error
    stopping.abort()
  })
  return stopping.signal
}

export const say = (...lines: readonly string[]): void => {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
}

/** Replaces control characters, because file names must not control the terminal. */
export const shown = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')

export const count = (value: number): string => value.toLocaleString('en')

/** Formats a duration, without seconds beyond a minute: `40 s`, `12 min`, `3 h 20 min`. */
export const durationText = (seconds: number): string => {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export const row = (name: string, value: string): string => `  ${name.padEnd(20)}${value}`

/**
 * Lists names in a summary.
 *
 * @param total - Number of names, if `names` are only the first ones.
 * @param hint - Says how to get the other names.
 */
export function listed(
  names: readonly string[],
  { total = names.length, limit = 20, hint = '' } = {},
): string[] {
  const lines = names.slice(0, limit).map((name) => `    ${shown(name)}`)
  const more = total - lines.length
  return more > 0 ? [...lines, `    … and ${count(more)} more${hint}`] : lines
}

export const failureLines = (done: {
  failed: number
  failures: readonly { imageName: string; reason: string }[]
}): string[] => [
  row('Failed', count(done.failed)),
  ...listed(
    done.failures.map(({ imageName, reason }) => `${imageName}: ${reason}`),
    { total: done.failed },
  ),
]

/** @throws {StartError} The folder contains no database. */
export function assertLibrary(dataFolder: string): void {
  if (!existsSync(join(dataFolder, 'tessera.db'))) throw noLibrary(dataFolder)
}

export const noLibrary = (dataFolder: string): StartError =>
  new StartError(`There is no library in ${dataFolder}. Give its folder with --data.`, 2)

/** Interval of progress lines without a terminal. */
const WRITTEN_MS = 10_000

/** Redraws one line on a terminal. Without a terminal, writes changed lines at intervals. */
export function progressWriter() {
  const { stdout } = process
  let writtenAt = performance.now()
  let written = ''
  return {
    show: (text: string) => {
      if (stdout.isTTY) stdout.write(`\r\u001b[K${text.slice(0, stdout.columns - 1)}`)
      else if (text !== written && performance.now() - writtenAt > WRITTEN_MS) {
        writtenAt = performance.now()
        written = text
        stdout.write(`${text}\n`)
      }
    },
    clear: () => {
      if (stdout.isTTY) stdout.write('\r\u001b[K')
    },
  }
}
