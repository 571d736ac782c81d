import type { ValidationFault } from '#contract/refusal.ts'
import type { Finding, Loc } from '#server/core/findings.ts'

/** A request that does not match its operation. The error handler answers 422 with the faults. */
export class ValidationFailure extends Error {
  override readonly name = 'ValidationFailure'
  readonly faults: readonly ValidationFault[]

  constructor(faults: readonly ValidationFault[]) {
    super(faults.map((fault) => `${fault.loc.join('.')}: ${fault.msg}`).join('; '))
    this.faults = faults
  }
}

/** Faults repeat the input only up to this length of JSON. */
const MAX_ECHO_LENGTH = 2_000

const isShort = (input: unknown): boolean => {
  try {
    return (JSON.stringify(input) ?? '').length <= MAX_ECHO_LENGTH
  } catch {
    return false // nested deeper than the stack
  }
}

/** Limit of faults in an answer. Further ones are dropped. */
const MAX_FAULTS = 100

/** Collects all faults of a request, so that one response reports them together. */
export class FaultList {
  readonly all: ValidationFault[] = []

  add(what: Finding, loc: Loc, input: unknown): void {
    if (this.all.length >= MAX_FAULTS) return
    const { type, msg, ctx } = what
    const echo = isShort(input) ? { input } : {}
    this.all.push({ type, loc, msg, ...echo, ...(ctx && { ctx }) })
  }
}
