import { Refusal } from '#server/core/refusal.ts'

/** Maximum number of calls per group. Others wait for the whole group. */
const MAX_GROUP = 16

/**
 * Runs one call at a time, and combines calls that arrive in the meantime into the next one. A group costs about as
 * much as one call: sixteen new images flush the disk once, and sixteen reads ask the database server once.
 *
 * A read begins after its call, so that it sees every change that was answered before. If an item makes its group
 * fail, each item runs alone. A refusal, such as `disk_full`, applies to all.
 */
export const groupCalls = <Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): ((item: Item) => Promise<Result>) => {
  type Call = { item: Item } & PromiseWithResolvers<Result>
  const waiting: Call[] = []
  let isRunning = false

  const settle = async (calls: readonly Call[]): Promise<void> => {
    try {
      const results = await run(calls.map(({ item }) => item))
      for (const [at, { resolve }] of calls.entries()) resolve(results[at] as Result)
    } catch (error) {
      if (calls.length > 1 && !(error instanceof Refusal))
        for (const call of calls) await settle([call])
      else for (const { reject } of calls) reject(error)
    }
  }

  const runAll = async (): Promise<void> => {
    isRunning = true
    while (waiting.length > 0) await settle(waiting.splice(0, MAX_GROUP))
    isRunning = false
  }

  return (item) => {
    const call = { item, ...Promise.withResolvers<Result>() }
    waiting.push(call)
    if (!isRunning) void runAll()
    return call.promise
  }
}
