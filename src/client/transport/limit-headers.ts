import type { Operation } from '#contract/operation.ts'

/** The two limits of spec 8, by the names that the headers give them. */
export type LimitName = 'default' | 'batch'

/** One member of a `RateLimit` or `RateLimit-Policy` header: `"batch";r=3;t=12`. */
interface LimitMember {
  readonly name: LimitName
  readonly values: Readonly<Record<string, number>>
}

const MEMBER = /"(default|batch)"((?:\s*;\s*\w+=\d+)+)/g
const VALUE = /(\w+)=(\d+)/g

/** What `RateLimit` and `RateLimit-Policy` say about each limit; empty where the header is absent. */
export const limitMembersOf = (header: string | null): LimitMember[] =>
  [...(header ?? '').matchAll(MEMBER)].map(([, name, values = '']) => ({
    name: name === 'batch' ? 'batch' : 'default',
    values: Object.fromEntries(
      [...values.matchAll(VALUE)].map(([, key = '', value]) => [key, Number(value)]),
    ),
  }))

/** The limits that an operation counts in (spec 8; wire 11, row 19). */
export const limitsOf = (operation: Operation): readonly LimitName[] => {
  if (operation.limit === 'poll' || operation.limit === 'exempt') return []
  return operation.limit === 'batch' ? ['default', 'batch'] : ['default']
}
