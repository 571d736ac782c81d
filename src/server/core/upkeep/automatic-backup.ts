import type { Clock } from '#server/core/clock.ts'
import type { LibraryState } from './library-state.ts'

const DAY_MS = 86_400_000

/** Delay of the first check, so that the start and the first requests are over. */
const FIRST_MS = 60_000

/** Interval of checks. After sleep, a machine makes up for a missed backup within this time. */
const LOOK_MS = 3_600_000

export interface DatabaseBackups {
  /** Returns when the newest backup was made, in milliseconds since 1970; null if there is none. */
  newestAt(now: number): number | null
  /**
   * Makes a backup and removes the oldest ones.
   *
   * @returns `no_room` if the disk has too little space. Nothing was written.
   * @throws The reason of `signal`, or any other error. There is no new backup.
   */
  make(now: number, signal: AbortSignal): Promise<'made' | 'no_room'>
}

interface BackupParts {
  backups: DatabaseBackups
  state: LibraryState
  everyDays: number
  clock: Clock
  /** Called when a backup is due and is skipped. */
  onSkip: (line: string) => void
  onFailure: (error: unknown) => void
}

/** Backs up the database while the server runs. After a failure it tries again one period later. */
export class AutomaticBackup {
  readonly #parts: BackupParts
  readonly #stop = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  #triedAt = Number.NEGATIVE_INFINITY
  #running: Promise<void> = Promise.resolve()

  constructor(parts: BackupParts) {
    this.#parts = parts
  }

  start(): void {
    this.#lookIn(FIRST_MS)
  }

  /** Cancels a running backup, which leaves no file. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#stop.abort()
    await this.#running
  }

  #lookIn(waitMs: number): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#backUpIfDue().then(() => {
        if (!this.#stop.signal.aborted) this.#lookIn(LOOK_MS)
      })
    }, waitMs)
    this.#timer.unref()
  }

  async #backUpIfDue(): Promise<void> {
    const { backups, state, clock, onSkip, onFailure } = this.#parts
    try {
      const now = clock()
      if (!this.#isDue(now)) return
      this.#triedAt = now
      if (state.status !== 'ok') {
        onSkip('No automatic backup was made: the library is read-only or away')
      } else if ((await backups.make(now, this.#stop.signal)) === 'no_room') {
        onSkip('No automatic backup was made: the disk needs twice the size of the database free')
      }
    } catch (error) {
      if (!this.#stop.signal.aborted) onFailure(error)
    }
  }

  #isDue(now: number): boolean {
    const { backups, everyDays } = this.#parts
    const latest = Math.max(backups.newestAt(now) ?? Number.NEGATIVE_INFINITY, this.#triedAt)
    // If the clock was set back, the last attempt is in the future.
    return latest > now || now - latest >= everyDays * DAY_MS
  }
}
