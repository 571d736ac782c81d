import { backoffMs } from '#contract/backoff.ts'
import type { Upkeep } from '#server/core/record-ports.ts'
import type { LibraryState } from './library-state.ts'

const DAY_MS = 86_400_000

/** The first check waits until the first requests are over. A small database was checked when it was opened. */
const FIRST_CHECK_MS = 10_000

/** Delay between attempts after a disk error. */
const retryBackoff = { firstMs: 1_000, longestMs: 30_000 }

interface CheckParts {
  upkeep: Pick<Upkeep, 'checkDatabase' | 'checkDisk'>
  state: LibraryState
  /** Called with each kind of damage, and when the disk works again. */
  onReport: (line: string) => void
  onFailure: (error: unknown) => void
}

/**
 * Checks the library while the server runs: soon after the start and once a day. A damaged database makes it
 * read-only until the user repairs it. After a disk error it accepts changes again as soon as a test write succeeds.
 */
export class LibraryCheck {
  readonly #parts: CheckParts
  readonly #closing = new AbortController()
  #next: ReturnType<typeof setTimeout> | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  #checking: Promise<void> = Promise.resolve()

  constructor(parts: CheckParts) {
    this.#parts = parts
    parts.state.onFault((fault) => {
      if (fault === 'disk_error') this.#tryDiskAfter(0)
    })
  }

  start(): void {
    this.#checkIn(FIRST_CHECK_MS)
  }

  /** Cancels a running check. The promise resolves after its database connection is closed. */
  async close(): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#next)
    clearTimeout(this.#retry)
    await this.#checking
  }

  #checkIn(waitMs: number): void {
    this.#next = setTimeout(() => {
      this.#checking = this.#checkDatabase()
      this.#checkIn(DAY_MS)
    }, waitMs)
    this.#next.unref()
  }

  async #checkDatabase(): Promise<void> {
    const { upkeep, state, onReport, onFailure } = this.#parts
    try {
      const faults = await upkeep.checkDatabase('quick', this.#closing.signal)
      if (faults.length === 0) return
      state.fail('damaged')
      for (const { text } of faults) onReport(text)
    } catch (error) {
      if (!this.#closing.signal.aborted) onFailure(error)
    }
  }

  #tryDiskAfter(failures: number): void {
    if (this.#closing.signal.aborted) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#tryDisk(failures), backoffMs(retryBackoff, failures))
    this.#retry.unref()
  }

  async #tryDisk(failures: number): Promise<void> {
    const { upkeep, state, onReport } = this.#parts
    try {
      await upkeep.checkDisk()
      state.diskWorks()
      onReport('The disk works again: the library takes changes')
    } catch {
      this.#tryDiskAfter(failures + 1)
    }
  }
}
