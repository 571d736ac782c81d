/** How often a line is written where there is no terminal. */
const WRITTEN_MS = 10_000

/** Says how far something is. */
export interface ProgressWriter {
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
