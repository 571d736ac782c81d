import {
  hashKey,
  notifyManager,
  type QueryClient,
  type QueryKey,
  replaceEqualDeep,
} from '@tanstack/react-query'
import type { Rollback } from '#gallery/api/answer/pending-edits.ts'
import type { PendingEnd } from '#gallery/api/answer/pending-images.ts'
import { hasHoles, type ImageWindow } from './image-windows.ts'

/** Ends an optimistic update of cached data. */
export interface RestorableRollback extends Rollback {
  /**
   * Shows the previous data again for the Undo of a confirmed change. Has no effect if the data has changed since,
   * because only the server knows the result then.
   *
   * @returns A function to call after the server has undone the change or refused to; `null` if it had no effect.
   */
  restore?(): (() => void) | null
}

export const isWindowKey = (key: QueryKey): boolean => key[0] === 'images' && key[2] === 'window'

interface Edit {
  readonly key: QueryKey
  readonly before: unknown
  readonly after: unknown
}

/** The edits of an optimistic update of the query cache, with their previous data for a rollback. */
export class Edits {
  readonly #client: QueryClient
  readonly #edits: Edit[] = []

  constructor(client: QueryClient) {
    this.#client = client
  }

  set(key: QueryKey, after: unknown) {
    const before = this.#client.getQueryData(key)
    if (before === after) return
    // Structural sharing: the cache keeps previous objects for equal parts of `after`.
    const updatedAt = this.#client.getQueryState(key)?.dataUpdatedAt
    const cached = this.#client.setQueryData(key, after, updatedAt ? { updatedAt } : {})
    this.#edits.push({ key, before, after: cached })
  }

  /** Refetches edited windows with unknown records: visible ones now, the others when they become visible. */
  fillHoles() {
    for (const { key } of this.#edits) {
      const window = isWindowKey(key) ? this.#client.getQueryData<ImageWindow>(key) : undefined
      if (window && hasHoles(window, Number(key[3]))) this.#askAgain(key)
    }
  }

  /** Restores all previous data, or none if the data has changed since. Filled holes do not count as a change. */
  restore(): boolean {
    const isAsLeft = ({ key, after }: Edit) =>
      isSameButFilled(after, this.#client.getQueryData(key))
    if (!this.#edits.every(isAsLeft)) return false
    for (const edit of this.#edits.toReversed()) this.#putBefore(edit)
    return true
  }

  /** @param endPending - Ends the pending change. Returns the keys of the windows to refetch. */
  rollback(endPending: (end: PendingEnd) => QueryKey[]): RestorableRollback {
    let isOver = false
    const once = (end: PendingEnd, run: () => QueryKey[]) => () => {
      if (isOver) return
      isOver = true
      const keys = new Map([...endPending(end), ...run()].map((key) => [hashKey(key), key]))
      for (const key of keys.values()) this.#askAgain(key)
    }
    const undo = () =>
      notifyManager.batch(() => this.#edits.toReversed().filter((edit) => !this.#undo(edit)))
    const putBack = once('rolled back', () => undo().map(({ key }) => key))
    return Object.assign(putBack, { settle: once('confirmed', () => []) })
  }

  /** @returns False if the data has changed since: then only the server knows the current data. */
  #undo(edit: Edit): boolean {
    // The cache keeps an equal object when a later edit was taken back, not the same one.
    if (replaceEqualDeep(edit.after, this.#client.getQueryData(edit.key)) !== edit.after)
      return false
    this.#putBefore(edit)
    return true
  }

  #putBefore({ key, before }: Edit) {
    if (before === undefined) this.#client.removeQueries({ queryKey: key, exact: true })
    else {
      // Keep the time of the last answer. The page waits for queries that were updated later.
      const updatedAt = this.#client.getQueryState(key)?.dataUpdatedAt
      this.#client.setQueryData(key, before, updatedAt ? { updatedAt } : {})
    }
  }

  /** Active requests already apply pending changes to their answers, so they are not cancelled and repeated. */
  #askAgain(queryKey: QueryKey) {
    const filters = { queryKey, exact: true }
    void this.#client.invalidateQueries(filters, { cancelRefetch: false })
  }
}

/** Returns true if cached data is unchanged, except for filled holes of a window. */
function isSameButFilled(left: unknown, now: unknown): boolean {
  if (replaceEqualDeep(left, now) === left) return true
  if (!isWindow(left) || !isWindow(now) || left.total !== now.total) return false
  const { items } = replaceEqualDeep(left, now)
  return left.items.every((record, at) => record === undefined || record === items[at])
}

const isWindow = (data: unknown): data is ImageWindow =>
  typeof data === 'object' && data !== null && 'items' in data && 'total' in data
