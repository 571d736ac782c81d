import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Ends an optimistic update. Call it to roll the update back, or call `settle` after the server has confirmed it. */
export interface Rollback {
  (): void
  settle(): void
}

/** The answers to one query, with the pending edits applied. */
export interface EditedAnswer<Data> {
  /** Returns the last answer without edits. */
  onServer(): Data | undefined
  fetch(ask: () => Promise<Data>): Promise<Data>
}

interface Pending<Edit> {
  readonly edit: Edit
  isConfirmed: boolean
}

/** The last answer to a query, and the confirmed edits that it contains. */
interface LastAnswer<Edit> {
  readonly contained: WeakSet<Pending<Edit>>
  show(): void
}

/**
 * Optimistic edits of small answers, such as the list of boards. Edits are applied to each answer, so that an answer
 * from before a change does not revert its optimistic update. An edit ends when all answers contain it.
 */
export class PendingEdits<Edit> {
  readonly #client: QueryClient
  readonly #pending = new Set<Pending<Edit>>()
  readonly #answers: LastAnswer<Edit>[] = []

  constructor(client: QueryClient) {
    this.#client = client
  }

  /** Registers a query whose answers the edits change. */
  answer<Data>(
    queryKey: QueryKey,
    apply: (data: Data, edits: readonly Edit[]) => Data,
  ): EditedAnswer<Data> {
    let onServer: Data | undefined
    const contained = new WeakSet<Pending<Edit>>()
    const withEdits = (data: Data): Data => {
      const missing = [...this.#pending].filter((pending) => !contained.has(pending))
      return apply(
        data,
        missing.map(({ edit }) => edit),
      )
    }
    const show = () =>
      this.#client.setQueryData<Data>(queryKey, (cached) =>
        cached === undefined || onServer === undefined ? undefined : withEdits(onServer),
      )
    this.#answers.push({ contained, show })
    return {
      onServer: () => onServer,
      fetch: async (ask) => {
        // The answer contains the edits that the server confirmed before the request was sent.
        const confirmed = [...this.#pending].filter(({ isConfirmed }) => isConfirmed)
        const data = await ask()
        onServer = data
        for (const pending of confirmed) {
          contained.add(pending)
          if (this.#answers.every((answer) => answer.contained.has(pending))) {
            this.#pending.delete(pending)
          }
        }
        return withEdits(data)
      },
    }
  }

  /** Applies an optimistic update. */
  readonly edit = (edit: Edit): Rollback => {
    const pending = { edit, isConfirmed: false }
    this.#pending.add(pending)
    this.#show()
    const rollback = () => {
      // The server has confirmed it. An Undo is a separate change.
      if (pending.isConfirmed) return
      this.#pending.delete(pending)
      this.#show()
    }
    const settle = () => {
      pending.isConfirmed = true
    }
    return Object.assign(rollback, { settle })
  }

  #show(): void {
    for (const { show } of this.#answers) show()
  }
}
