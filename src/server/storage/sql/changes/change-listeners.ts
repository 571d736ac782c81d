import { EventEmitter } from 'node:events'
import type { ChangeRecords, LoggedChange } from '#server/core/changes/change-ports.ts'

/** The listeners of `ChangeRecords`. */
export class ChangeListeners {
  readonly #emitter = new EventEmitter<{ change: [LoggedChange] }>()

  emit(change: LoggedChange): void {
    this.#emitter.emit('change', change)
  }

  readonly listen: ChangeRecords['listen'] = (listener) => {
    this.#emitter.on('change', listener)
    return () => void this.#emitter.off('change', listener)
  }
}
