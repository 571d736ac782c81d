import type { Generation } from '#gallery/api/queue/generations-of.ts'

/** Formats an ordinal number: `1st`, `2nd`, `3rd`, `11th`. */
export function ordinal(number: number): string {
  const suffixes = { one: 'st', two: 'nd', few: 'rd' } as Record<Intl.LDMLPluralRule, string>
  return `${number}${suffixes[rules.select(number)] ?? 'th'}`
}

const rules = new Intl.PluralRules('en', { type: 'ordinal' })

/** Returns the text on a tile: the position in the queue, or the current step. */
export function captionOf({ status, ahead, step, fault }: Generation): string {
  if (status === 'failed') return fault ?? 'It failed'
  if (status === 'completed') return 'Done'
  if (status === 'in_progress') return step ?? 'Running'
  return ahead === null || ahead === 0 ? 'Next in line' : `${ordinal(ahead + 1)} in line`
}

/** Returns the accessible name of a tile: `Generation, 40 percent, Blur`. It has all visible text for voice control. */
export function nameOf(generation: Generation): string {
  const { status, fraction } = generation
  const percent = percentOf(fraction)
  const state = status === 'failed' ? 'failed' : percent === null ? null : `${percent} percent`
  const action = status === 'failed' ? 'Retry' : null
  const parts = ['Generation', state, captionOf(generation), action]
  return parts.filter((part) => part !== null).join(', ')
}

/** Returns 0 to 100; null if unknown. */
export const percentOf = (fraction: number | null): number | null =>
  fraction === null ? null : Math.round(Math.min(1, Math.max(0, fraction)) * 100)
