import { systemCode } from '#server/storage/disk/system-errors.ts'

/** Exit code of a command stopped with Ctrl+C. */
export const STOPPED = 130

/**
 * Returns a signal that is aborted by the first SIGINT or SIGTERM; the second exits at once. A closed stdout, as with
 * `head`, aborts it too.
 */
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

/** Interval of progress lines without a terminal. */
const WRITTEN_MS = 10_000

/** Shows the progress of a command. */
interface ProgressWriter {
  /** Shows one line. */
  show(text: string): void
  clear(): void
}

/** Redraws one line on a terminal. Without a terminal, writes changed lines at intervals. */
export function progressWriter(): ProgressWriter {
  const { stdout } = process
  let writtenAt = performance.now()
  let written = ''
  return {
    show: (text) => {
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
