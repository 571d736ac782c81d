import type { TesseraClient } from '#client/index.ts'
import { MAX_DUPLICATE_GROUPS, MAX_NAMES_PER_REQUEST } from '#contract/limits.ts'
import type { DuplicatesAspect } from '#gallery/api/outbox/outbox-state.ts'
import { canBeSentAgain, type Parts, type Refusals } from '#gallery/api/outbox/outbox-work.ts'
import { GONE } from '#gallery/api/outbox/skip-reasons.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'

/** A group of duplicates that is resolved or dismissed. */
export interface ChangedGroup {
  /** The ID by which the server undoes what it did to the group. Empty for a dismissed one. */
  readonly id: string
  /** The names of its images, with the kept one first. */
  readonly names: readonly string[]
}

/** No name and no ID has this character. */
const SEPARATOR = '\t'

/** Returns the target by which the outbox knows a group. */
export const targetOf = ({ id, names }: ChangedGroup): string => [id, ...names].join(SEPARATOR)

export function groupOf(target: string): ChangedGroup {
  const [id = '', ...names] = target.split(SEPARATOR)
  return { id, names }
}

interface DuplicatesRequest {
  readonly aspect: DuplicatesAspect
  readonly wanted: boolean
  readonly targets: readonly string[]
}

/**
 * Sends a change of groups of duplicates. It can be sent again after a lost answer: the server knows resolved groups by
 * their IDs, and dismissed ones by their images.
 *
 * @throws If no answer arrived. A refused part does not stop the others.
 */
export async function sendDuplicates(
  { duplicates }: Pick<TesseraClient, 'duplicates'>,
  { aspect, wanted, targets }: DuplicatesRequest,
  parts: Pick<Parts, 'onBoardImages' | 'onRestored'>,
): Promise<Refusals> {
  const refusals = new Map<string, string>()
  const groups = targets.map(groupOf)
  const sendParts = async (send: (part: readonly ChangedGroup[]) => Promise<unknown>) => {
    for (const part of partsOf(groups)) {
      try {
        await send(part)
      } catch (error) {
        if (canBeSentAgain(error)) throw error
        for (const group of part) refusals.set(targetOf(group), reasonOf(error))
      }
    }
  }
  if (aspect === 'duplicates_dismissed') {
    await sendParts((part) => {
      const dismissed = part.map(({ names }) => ({ image_names: [...names] }))
      return wanted ? duplicates.dismiss(dismissed) : duplicates.undismiss(dismissed)
    })
  } else if (wanted) {
    await sendParts(async (part) => {
      const { trashed_images, failed_images } = await duplicates.resolve(part.map(resolvedGroup))
      parts.onBoardImages({ trashed: trashed_images, kept: [] })
      const failed = new Set(failed_images)
      for (const group of part)
        if (failed.has(group.names[0] ?? '')) refusals.set(targetOf(group), GONE)
    })
  } else {
    const { images_by_board } = await duplicates.unresolve(groups.map(({ id }) => id))
    parts.onRestored(images_by_board.map(({ board_id, image_names }) => [board_id, image_names]))
  }
  return refusals
}

const resolvedGroup = ({ id, names: [keep = '', ...image_names] }: ChangedGroup) => ({
  resolve_id: id,
  keep,
  image_names,
})

/** Divides groups so that each part fits in one request, which has each image once. */
export function partsOf(
  groups: readonly ChangedGroup[],
  maxNames = MAX_NAMES_PER_REQUEST,
): ChangedGroup[][] {
  const parts: ChangedGroup[][] = []
  let names = new Set<string>()
  for (const group of groups) {
    const part = parts.at(-1)
    const fits =
      part !== undefined &&
      part.length < MAX_DUPLICATE_GROUPS &&
      names.size + group.names.length <= maxNames &&
      !group.names.some((name) => names.has(name))
    if (fits) part.push(group)
    else {
      parts.push([group])
      names = new Set()
    }
    for (const name of group.names) names.add(name)
  }
  return parts
}
