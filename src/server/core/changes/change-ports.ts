import type { LibraryChanges } from '#contract/server/change-operations.ts'

/** Names or IDs of images or boards, by what happened to them. */
export interface ChangedRecords {
  created?: readonly string[]
  updated?: readonly string[]
  destroyed?: readonly string[]
}

/** The changes of one unit of work. */
export interface LibraryChange {
  images?: ChangedRecords
  boards?: ChangedRecords
  /** Boards with changed images that `images` does not name. `all`: any image or board may have changed. */
  unlisted?: readonly string[] | 'all'
}

/** An entry of the log, after its transaction. */
export interface LoggedChange {
  /** State before the change. */
  since: string
  /** State after the change. */
  state: string
  /** The source of the change, such as a tab of a browser; null if it is not known. */
  origin: string | null
  images: number
  boards: number
}

/** The current state of the library. */
export interface LibraryPoint {
  state: string
  /** Time of the last change, in milliseconds since 1970; null if none is known. */
  changedAt: number | null
}

/** The log of changes. Each unit of work that changes images or boards adds one entry in its transaction. */
export interface ChangeRecords {
  current(): Promise<LibraryPoint>
  /**
   * Returns the changes of up to `limit` units of work after a state. null: the state is too old, or of another
   * library, such as before a restore.
   *
   * @param exceptOrigin - Leaves out changes of this origin.
   */
  since(
    state: string,
    limit: number,
    exceptOrigin: string | null,
  ): Promise<Omit<LibraryChanges, 'idle_ms'> | null>
  /** Calls a listener after each change of this process. Returns a function that removes it. */
  listen(listener: (change: LoggedChange) => void): () => void
}

/** The origin of the work that runs now, such as a tab of a browser. A request sets it, and the log stores it. */
export interface ChangeOrigin {
  /** null: the work belongs to no request, or to one that names no origin. */
  current(): string | null
  run<Result>(origin: string | null, work: () => Promise<Result>): Promise<Result>
}
