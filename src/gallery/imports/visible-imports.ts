import { type Import, isImportActive } from '#gallery/api/imports.ts'
import type { CardState } from './import-store.ts'

/** Maximum number of cards of finished imports. */
const MAX_ENDED = 3

/**
 * Returns the imports that have a card: active ones, interrupted ones, and the newest finished ones that this
 * browser started or showed, unless the user closed the card.
 *
 * @param imports - Newest first.
 */
export function visibleImports(
  imports: readonly Import[],
  cards: Readonly<Record<string, CardState>>,
): readonly Import[] {
  const real = imports.filter(({ dry_run }) => !dry_run)
  const open = real.filter((one) => {
    if (isImportActive(one)) return true
    const card = cards[one.import_id]
    return card === undefined ? one.state === 'interrupted' : card !== 'closed'
  })
  const finished = open.filter((one) => !isUnfinished(one)).slice(0, MAX_ENDED)
  return open.filter((one) => isUnfinished(one) || finished.includes(one))
}

const isUnfinished = (one: Import): boolean => isImportActive(one) || one.state === 'interrupted'
