import { diffWordsWithSpace } from 'diff'

/** A part of a text, relative to another text. */
export interface TextPart {
  readonly value: string
  readonly change: 'same' | 'added' | 'removed'
}

/** More differing words than this are shown as two different texts, because comparing them takes long. */
const MAX_EDITS = 500

/** Returns what differs in a text from another one, word by word. */
export function wordDifferences(text: string, other: string): TextPart[] {
  const parts = diffWordsWithSpace(other, text, { maxEditLength: MAX_EDITS })
  if (parts === undefined) {
    return [
      { value: other, change: 'removed' },
      { value: text, change: 'added' },
    ]
  }
  return joined(
    parts.map(({ value, added, removed }) => ({
      value,
      change: added ? 'added' : removed ? 'removed' : 'same',
    })),
  )
}

/** Joins changed words that only a space separates, so that phrases stay readable. */
function joined(parts: readonly TextPart[]): TextPart[] {
  const result: TextPart[] = []
  let removed = ''
  let added = ''
  const end = () => {
    if (removed !== '') result.push({ value: removed, change: 'removed' })
    if (added !== '') result.push({ value: added, change: 'added' })
    removed = ''
    added = ''
  }
  for (const [at, { value, change }] of parts.entries()) {
    const isBetween = value.trim() === '' && removed + added !== '' && at < parts.length - 1
    if (change === 'same' && !isBetween) {
      end()
      result.push({ value, change })
    }
    if (change === 'removed' || (change === 'same' && isBetween)) removed += value
    if (change === 'added' || (change === 'same' && isBetween)) added += value
  }
  end()
  return result
}
