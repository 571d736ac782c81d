import { MAX_NAMES_PER_REQUEST } from '#contract/limits.ts'

type NameLists = Record<string, string[]>

/** Names or ids in parts that a request can carry; one empty part for none. */
const partsOf = <T>(all: readonly T[], size: number): T[][] => {
  const parts: T[][] = []
  for (let from = 0; from < all.length; from += size) parts.push(all.slice(from, from + size))
  return parts.length > 0 ? parts : [[]]
}

/**
 * Sends many names, or other things that are listed, in several requests one after another where they are too many for one. When one
 * fails, those before it have happened: what is sent this way may be sent again.
 */
export const inParts = async <R, T = string>(
  all: readonly T[],
  send: (part: T[]) => Promise<R>,
  size = MAX_NAMES_PER_REQUEST,
): Promise<R[]> => {
  const answers: R[] = []
  for (const part of partsOf(all, size)) answers.push(await send(part))
  return answers
}

/** The same for answers that are lists of names: each list put together, nothing in it twice. */
export const inPartsMerged = async <R extends NameLists>(
  imageNames: readonly string[],
  send: (part: string[]) => Promise<R>,
): Promise<R> => {
  const [first, ...others] = await inParts(imageNames, send)
  if (first === undefined) throw new Error('No part was sent')
  if (others.length === 0) return first
  const merged = Object.keys(first).map((key) => {
    const all = [first, ...others].flatMap((answer) => answer[key] ?? [])
    return [key, [...new Set(all)]]
  })
  return Object.fromEntries(merged) as R
}
