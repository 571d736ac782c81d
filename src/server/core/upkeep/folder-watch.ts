import type { LibraryState } from './library-state.ts'

const LOOK_EVERY_MS = 1_000

interface WatchParts {
  state: LibraryState
  /** Says whether the data folder has the library. */
  isThere: () => Promise<boolean>
  /** Opens the library again. Throws while that fails. */
  reopen: () => Promise<void>
  onAway: () => void
  onBack: () => void
  /** Called once per absence if the folder is there but the library cannot be opened. */
  onFailure: (error: unknown) => void
}

/**
 * Looks every second whether the data folder is there, because a drive can be pulled out under a running server. Open
 * files and caches would still answer a part of the requests.
 */
export class FolderWatch {
  readonly #parts: WatchParts
  #timer: ReturnType<typeof setTimeout> | undefined
  #looking: Promise<void> = Promise.resolve()
  #isClosed = false
  #hasFailed = false

  constructor(parts: WatchParts) {
    this.#parts = parts
  }

  start(): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().finally(() => this.start())
    }, LOOK_EVERY_MS)
    this.#timer.unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#looking
  }

  async #look(): Promise<void> {
    const { state, isThere, onAway } = this.#parts
    const isAway = !(await isThere())
    if (isAway && !state.isAway) {
      state.setAway(true)
      this.#hasFailed = false
      onAway()
    }
    if (!isAway && state.isAway) await this.#comeBack()
  }

  async #comeBack(): Promise<void> {
    const { state, reopen, onBack, onFailure } = this.#parts
    try {
      await reopen()
      state.setAway(false)
      onBack()
    } catch (error) {
      if (!this.#hasFailed) onFailure(error)
      this.#hasFailed = true
    }
  }
}
