import { Suspense, useSyncExternalStore } from 'react'
import { lazyPart } from '#gallery/ui/lazy-part.ts'
import { type Toast, WaitingToasts } from './waiting-toasts.ts'

/** Duration of a toast with Undo or Retry, in milliseconds. */
export const ACTION_TOAST_MS = 10_000

const PLAIN_TOAST_MS = 5_000

const toasts = new WaitingToasts()

/** Loads the list of toasts. */
export const preloadToasts = toasts.want

/** Shows a toast. Returns a function that closes it. */
export function showToast({ id = toasts.newId(), durationMs, ...content }: Toast): () => void {
  const usualMs = content.action ? ACTION_TOAST_MS : PLAIN_TOAST_MS
  toasts.run((list) => list.show({ ...content, id, durationMs: durationMs ?? usualMs }))
  return () => toasts.run((list) => list.close(id))
}

/** Shows that an action failed, and why. `retry` adds a button that tries it again. */
export function showFailure(
  title: string,
  reason: string,
  retry?: () => void,
  durationMs?: number,
): void {
  showToast({
    tone: 'danger',
    title,
    description: reason,
    ...(retry && { action: { label: 'Retry', run: retry } }),
    ...(durationMs !== undefined && { durationMs }),
  })
}

/** The toasts of user actions. An action has one toast at a time. */
export class ActionToasts {
  readonly #closing = new Map<object, () => void>()
  /** IDs of the toasts that show progress, which later toasts of the action replace. */
  readonly #ids = new WeakMap<object, string>()

  show(action: object, toast: Toast): void {
    const id = this.#ids.get(action)
    this.#closing.set(action, showToast({ ...toast, ...(id !== undefined && { id }) }))
  }

  /** Shows a toast that stays until it is replaced or closed. */
  showProgress(action: object, toast: Toast): void {
    if (!this.#ids.has(action)) this.#ids.set(action, `progress ${performance.now()}`)
    this.show(action, { ...toast, durationMs: Infinity })
  }

  close(action: object): void {
    this.#closing.get(action)?.()
    this.#closing.delete(action)
    this.#ids.delete(action)
  }
}

const Toasts = lazyPart(async () => (await import('./toast-list.tsx')).Toasts)

/** The place of the toasts in the page. */
export function Toaster() {
  const isWanted = useSyncExternalStore(toasts.subscribe, toasts.isWanted)
  return <Suspense>{isWanted && <Toasts onList={toasts.setList} />}</Suspense>
}
