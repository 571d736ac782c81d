import type { RefusalCode } from '#contract/refusal.ts'

/** What a task answers across the thread boundary, where an error would lose its class and its code. */
export type Outcome = { value: unknown } | { refusal: RefusalCode }

/** A refusal on the side of a database thread, which loads nothing of the contract but types. */
export class RefusedTask extends Error {
  override readonly name = 'RefusedTask'
  readonly code: RefusalCode

  constructor(code: RefusalCode, options?: ErrorOptions) {
    super(code, options)
    this.code = code
  }
}

/** Turns a refusal into something that can cross; any other error is thrown on. */
export const outcomeOf = async (work: () => Promise<unknown>): Promise<Outcome> => {
  try {
    return { value: await work() }
  } catch (error) {
    if (error instanceof RefusedTask) return { refusal: error.code }
    throw error
  }
}
