import { useCallback, useSyncExternalStore } from 'react'

/** The functions that are called with each event of one kind. */
export class Listeners<Event = void> {
  readonly #listeners = new Set<(event: Event) => void>()

  /** @returns Removes the listener. */
  readonly add = (listener: (event: Event) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly emit = (event: Event): void => {
    for (const listener of [...this.#listeners]) listener(event)
  }
}

/** A state that changes. A zustand store and the pacer of the client library are sources, too. */
interface Source<State> {
  getState(): State
  subscribe(listener: () => void): () => void
}

/** Returns a value of a source. Re-renders when it changes. */
export function useSource<State, Value = State>(
  source: Source<State>,
  select?: (state: State) => Value,
): Value {
  const subscribe = useCallback((listener: () => void) => source.subscribe(listener), [source])
  const read = select ?? ((state: State) => state as unknown as Value)
  return useSyncExternalStore(subscribe, () => read(source.getState()))
}
