import type { LibraryState } from './library-state.ts'
import type { Upkeep } from './record-ports.ts'

const DAY_MS = 86_400_000

/** After a disk error the disk is tried again so soon, then after twice the time, up to the longest. */
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 30_000

interface CheckParts {
  upkeep: Pick<Upkeep, 'checkDatabase' | 'checkDisk'>
  state: LibraryState
  /** Called with each kind of damage, and when the disk works again. */
  onReport: (line: string) => void
  onFailure: (error: unknown) => void
}

/**
 * Checks the library while the server runs: at the start and once a day. A damaged database makes it read-only
 * until a person repairs it. After a disk error it takes changes again as soon as a test write reaches the disk.
 */
export class LibraryCheck {
  readonly #parts: CheckParts
  #daily: ReturnType<typeof setInterval> | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  constructor(parts: CheckParts) {
    this.#parts = parts
    parts.state.onFault((fault) => {
      if (fault === 'disk_error') this.#tryDiskIn(FIRST_RETRY_MS)
    })
  }

  start(): void {
    const check = () => void this.#checkDatabase().catch(this.#parts.onFailure)
    check()
    this.#daily = setInterval(check, DAY_MS)
    this.#daily.unref()
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#daily)
    clearTimeout(this.#retry)
  }

  async #checkDatabase(): Promise<void> {
    const { upkeep, state, onReport } = this.#parts
    const faults = await upkeep.checkDatabase('quick')
    if (faults.length === 0) return
    state.fail('damaged')
    for (const { text } of faults) onReport(text)
  }

  #tryDiskIn(waitMs: number): void {
    if (this.#isClosed) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#tryDisk(waitMs), waitMs)
    this.#retry.unref()
  }

  async #tryDisk(waitMs: number): Promise<void> {
    const { upkeep, state, onReport } = this.#parts
    try {
      await upkeep.checkDisk()
      state.diskWorks()
      onReport('The disk works again: the library takes changes')
    } catch {
      this.#tryDiskIn(Math.min(2 * waitMs, LONGEST_RETRY_MS))
    }
  }
}
