import type { ValidationFault } from '#contract/refusal.ts'

/** A request that does not fit its operation. The error handler answers 422 with the faults (wire 0.1). */
export class ValidationFailure extends Error {
  override readonly name = 'ValidationFailure'
  readonly faults: readonly ValidationFault[]

  constructor(faults: readonly ValidationFault[]) {
    super(faults.map((fault) => `${fault.loc.join('.')}: ${fault.msg}`).join('; '))
    this.faults = faults
  }
}
