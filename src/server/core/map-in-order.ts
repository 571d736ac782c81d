interface Slot<Result> {
  result: Result | undefined
  isDone: boolean
}

/**
 * Maps items concurrently and yields the results in the order of the items, in groups of up to `together` finished
 * results. While the consumer handles a group, work continues until `ahead` items are in progress or waiting.
 *
 * @param work - Must not throw. An error of `items` is thrown after the results of all started items were yielded.
 */
export async function* mapInOrder<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
  { ahead, together }: { ahead: number; together: number },
): AsyncGenerator<Result[]> {
  const slots: Slot<Result>[] = []
  const room = new Gate()
  let news = Promise.withResolvers<void>()
  let isStopped = false
  const fill = async () => {
    for await (const item of items) {
      const slot: Slot<Result> = { result: undefined, isDone: false }
      slots.push(slot)
      const finish = async () => {
        slot.result = await work(item)
        slot.isDone = true
        news.resolve()
      }
      void finish()
      if (slots.length >= ahead) room.shut()
      await room.pass()
      if (isStopped) return
    }
  }
  let isFilled = false
  let fault: { cause: unknown } | null = null
  const filling = fill()
    .catch((cause: unknown) => {
      fault = { cause }
    })
    .finally(() => {
      isFilled = true
      news.resolve()
    })

  try {
    for (;;) {
      await news.promise
      news = Promise.withResolvers()
      for (;;) {
        const first = slots.findIndex(({ isDone }) => !isDone)
        const done = slots.slice(0, Math.min(first === -1 ? slots.length : first, together))
        if (done.length === 0) break
        yield done.map(({ result }) => result as Result)
        slots.splice(0, done.length)
        room.open()
      }
      if (isFilled && slots.length === 0) break
    }
  } finally {
    isStopped = true
    room.open()
    await filling
  }
  if (fault !== null) throw (fault as { cause: unknown }).cause
}

/** Blocks callers of `pass` while it is shut. */
export class Gate {
  #opening: PromiseWithResolvers<void> | null = null

  get isShut(): boolean {
    return this.#opening !== null
  }

  shut(): void {
    this.#opening ??= Promise.withResolvers()
  }

  open(): void {
    this.#opening?.resolve()
    this.#opening = null
  }

  /** Resolves when the gate is open. */
  async pass(): Promise<void> {
    while (this.#opening !== null) await this.#opening.promise
  }
}
