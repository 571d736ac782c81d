import type { ValidationFault } from '#contract/refusal.ts'
import type { Finding, Loc } from '#server/core/findings.ts'

/** More faults than anybody reads: the rest is left out. */
const MAX_FAULTS = 100

/** Longer words than anybody reads: an id may have megabytes. */
const MAX_WORDS = 2_000

const cut = (text: string) => (text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}…` : text)

const isShort = (input: unknown) =>
  input === null ||
  typeof input === 'boolean' ||
  typeof input === 'number' ||
  (typeof input === 'string' && input.length <= MAX_WORDS)

/** Collects what is wrong, so that all of it is said at once. */
export class Findings {
  readonly all: ValidationFault[] = []

  /** @param input - What was refused; echoed where it is short. */
  add({ type, msg, ctx }: Finding, loc: Loc, input?: unknown): void {
    if (this.all.length >= MAX_FAULTS) return
    const at = loc.map((part) => (typeof part === 'string' ? cut(part) : part))
    const echo = isShort(input) ? { input } : {}
    this.all.push({ type, loc: at, msg: cut(msg), ...echo, ...(ctx && { ctx }) })
  }
}
