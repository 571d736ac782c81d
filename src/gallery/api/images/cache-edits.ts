import {
  hashKey,
  notifyManager,
  type QueryClient,
  type QueryKey,
  replaceEqualDeep,
} from '@tanstack/react-query'
import { hasHoles, type ImageWindow } from './image-windows.ts'

/**
 * Ends an optimistic change: call it when the server has refused, and everything is as before.
 * `settle()` when the server has agreed: answers are then believed again as they come.
 */
export interface RestorableRollback {
  (): void
  settle(): void
  /**
   * Shows again what was there before, when the server has agreed and is to take it back. Without an effect
   * where something else has been changed since: only the server knows then what there will be.
   *
   * @returns What to call when the server has taken it back or has refused to; `null` without an effect.
   */
  restore?(): (() => void) | null
}

/** Whether a key is that of a window of images. */
export const isWindowKey = (key: QueryKey): boolean => key[0] === 'images' && key[2] === 'window'

interface Edit {
  readonly key: QueryKey
  readonly before: unknown
  readonly after: unknown
}

/** What an optimistic change did to the cache, so that it can be taken back. */
export class Edits {
  readonly #client: QueryClient
  readonly #edits: Edit[] = []

  constructor(client: QueryClient) {
    this.#client = client
  }

  set(key: QueryKey, after: unknown) {
    const before = this.#client.getQueryData(key)
    if (before === after) return
    // What the cache keeps is what it made of `after`: parts that are equal stay the same objects.
    const updatedAt = this.#client.getQueryState(key)?.dataUpdatedAt
    const kept = this.#client.setQueryData(key, after, updatedAt ? { updatedAt } : {})
    this.#edits.push({ key, before, after: kept })
  }

  /** Asks for what is not known of the windows that are looked at; of the others when they are. */
  fillHoles() {
    for (const { key } of this.#edits) {
      const window = isWindowKey(key) ? this.#client.getQueryData<ImageWindow>(key) : undefined
      if (window && hasHoles(window, Number(key[3]))) this.#askAgain(key)
    }
  }

  /** Puts everything back, or nothing where something other than holes has been filled in since. */
  restore(): boolean {
    const isAsLeft = ({ key, after }: Edit) =>
      isSameButFilled(after, this.#client.getQueryData(key))
    if (!this.#edits.every(isAsLeft)) return false
    for (const edit of this.#edits.toReversed()) this.#putBefore(edit)
    return true
  }

  /** @param end - Ends what was pending, and says of which windows the server is to be asked then. */
  rollback(end: (how: 'left' | 'stay') => QueryKey[]): RestorableRollback {
    let isOver = false
    const once = (how: 'left' | 'stay', run: () => QueryKey[]) => () => {
      if (isOver) return
      isOver = true
      const keys = new Map([...end(how), ...run()].map((key) => [hashKey(key), key]))
      for (const key of keys.values()) this.#askAgain(key)
    }
    const undo = () =>
      notifyManager.batch(() => this.#edits.toReversed().filter((edit) => !this.#undo(edit)))
    const putBack = once('stay', () => undo().map(({ key }) => key))
    return Object.assign(putBack, { settle: once('left', () => []) })
  }

  /** @returns Whether it was possible: where something else has changed it since, only the server knows. */
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
      // With the time of the last answer, or the page would wait for others to be shown with it.
      const updatedAt = this.#client.getQueryState(key)?.dataUpdatedAt
      this.#client.setQueryData(key, before, updatedAt ? { updatedAt } : {})
    }
  }

  /** A question that is under way heeds what is pending: it need not be put again. */
  #askAgain(queryKey: QueryKey) {
    const filters = { queryKey, exact: true }
    void this.#client.invalidateQueries(filters, { cancelRefetch: false })
  }
}

/** Whether something in the cache is as it was left, but that holes of a window may have been filled. */
function isSameButFilled(left: unknown, now: unknown): boolean {
  if (replaceEqualDeep(left, now) === left) return true
  if (!isWindow(left) || !isWindow(now) || left.total !== now.total) return false
  const { items } = replaceEqualDeep(left, now)
  return left.items.every((record, at) => record === undefined || record === items[at])
}

const isWindow = (data: unknown): data is ImageWindow =>
  typeof data === 'object' && data !== null && 'items' in data && 'total' in data
