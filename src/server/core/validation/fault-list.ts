import type { ValidationFault } from '#contract/refusal-bodies.ts'
import type { Finding, Loc } from './findings.ts'

/** A request that does not match its operation. The error handler answers 422 with the faults. */
export class ValidationFailure extends Error {
  override readonly name = 'ValidationFailure'
  readonly faults: readonly ValidationFault[]

  constructor(faults: readonly ValidationFault[]) {
    super(faults.map((fault) => `${fault.loc.join('.')}: ${fault.msg}`).join('; '))
    this.faults = faults
  }
}

/** Creates the failure for a request with a single fault. */
export function failureOf(finding: Finding, loc: Loc, input: unknown): ValidationFailure {
  const found = new FaultList()
  found.add(finding, loc, input)
  return new ValidationFailure(found.all)
}

/** Limit of reported faults. Further ones are dropped. */
const MAX_FAULTS = 100

/** Length limit of texts in a fault. An id may have megabytes. */
const MAX_TEXT_LENGTH = 2_000

const cut = (text: string) =>
  text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text

const isShort = (input: unknown): boolean => {
  try {
    return (JSON.stringify(input) ?? '').length <= MAX_TEXT_LENGTH
  } catch {
    return false // nested deeper than the stack
  }
}

/** Collects all faults, so that one response reports them together. */
export class FaultList {
  readonly all: ValidationFault[] = []

  /** @param input - The refused value. The fault repeats it if it is short. */
  add({ type, msg, ctx }: Finding, loc: Loc, input?: unknown): void {
    if (this.all.length >= MAX_FAULTS) return
    const at = loc.map((part) => (typeof part === 'string' ? cut(part) : part))
    const echo = input !== undefined && isShort(input) ? { input } : {}
    this.all.push({ type, loc: at, msg: cut(msg), ...echo, ...(ctx && { ctx }) })
  }
}
