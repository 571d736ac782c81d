export interface Toast {
  title: string
  description?: string | undefined
  tone?: 'plain' | 'danger'
  /** The toast closes when its action is pressed. */
  action?: { label: string; run: () => void }
  /** Replaces the toast with the same ID. */
  id?: string
  /** `Infinity` shows the toast until it is closed. */
  durationMs?: number
}

export type ShownToast = Toast & Required<Pick<Toast, 'id' | 'durationMs'>>

/** The shown list of toasts. */
export interface ToastList {
  show(toast: ShownToast): void
  close(id: string): void
}

/** The list loads with the first toast. What happens before it is shown waits. */
export class WaitingToasts {
  #list: ToastList | null = null
  #waiting: ((list: ToastList) => void)[] = []
  #isWanted = false
  #toastCount = 0
  readonly #listeners = new Set<() => void>()

  newId(): string {
    this.#toastCount += 1
    return `toast ${this.#toastCount}`
  }

  run(act: (list: ToastList) => void): void {
    if (this.#list !== null) act(this.#list)
    else this.#waiting.push(act)
    this.want()
  }

  readonly want = (): void => {
    this.#isWanted = true
    for (const listener of this.#listeners) listener()
  }

  readonly setList = (list: ToastList | null): void => {
    this.#list = list
    if (list === null) return
    const waiting = this.#waiting
    this.#waiting = []
    for (const act of waiting) act(list)
  }

  readonly isWanted = (): boolean => this.#isWanted

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}
