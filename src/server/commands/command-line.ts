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
