import { defaultFilter } from 'cmdk'

/** An entry of the palette: a command or a place. */
export interface PaletteEntry {
  readonly id: string
  readonly name: string
  /** The object of a command: `Castles`. */
  readonly about?: string | undefined
  /** Other words that find the entry. */
  readonly words?: string
  readonly heading: 'Commands' | 'Places'
  readonly isDisabled?: boolean
}

/** Maximum number of rendered choices; the user can type to narrow them down. */
const MAX_SHOWN = 50

/** Places that are listed below all commands before the user types. */
const MAX_PLACES = 12

/**
 * Returns the entries for typed text by heading. Before the user types, the recent ones come first. Afterwards the best
 * match comes first, because Enter chooses it.
 */
export function entriesFor<T extends PaletteEntry>(
  entries: readonly T[],
  recentIds: readonly string[],
  typed: string,
): ReadonlyMap<string, readonly T[]> {
  const wanted = typed.trim()
  if (wanted !== '') return new Map([['Results', bestOf(entries, wanted)]])
  const recent = recentIds.flatMap((id) => entries.find((entry) => entry.id === id) ?? [])
  const others = entries.filter((entry) => !recent.includes(entry))
  const of = (heading: PaletteEntry['heading']) => others.filter((one) => one.heading === heading)
  return new Map([
    ['Recent', recent],
    ['Commands', of('Commands')],
    ['Places', of('Places').slice(0, MAX_PLACES)],
  ])
}

function bestOf<T extends PaletteEntry>(entries: readonly T[], wanted: string): T[] {
  const scored = entries
    .map((entry) => ({ entry, score: scoreOf(entry, wanted) }))
    .filter(({ score }) => score > 0)
  // The sort is stable: with equal scores, commands come before places.
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_SHOWN)
    .map(({ entry }) => entry)
}

/** Other words count a little less than the name. */
const WORDS_SHARE = 0.9

/** Matches letters in their order with gaps, and prefers word starts. */
function scoreOf({ name, about = '', words = '' }: PaletteEntry, wanted: string): number {
  const byWords = WORDS_SHARE * defaultFilter(name, wanted, [about, words])
  return Math.max(defaultFilter(name, wanted), byWords)
}
