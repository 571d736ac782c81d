import { systemCode } from '#server/storage/disk/system-errors.ts'

/** What a shell says of a command that Ctrl+C ended. */
export const STOPPED = 130

/** The first signal stops in order, the second at once. Whoever reads no further, as `head` does, stops it too. */
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

/** A name from a disk must not reach the terminal's controls. */
export const shown = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')

/** How often a line is written where there is no terminal. */
const WRITTEN_MS = 10_000

/** Says how far something is. */
interface ProgressWriter {
  /** @param text - One line. */
  show(text: string): void
  clear(): void
}

/** One line that is drawn over and over on a terminal; elsewhere a line now and then, where it says something new. */
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
