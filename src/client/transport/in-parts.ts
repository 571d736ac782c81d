type Lists = Record<string, unknown[]>

/** Splits a list into parts of at most `size` entries. An empty list gives one empty part. */
const partsOf = <T>(all: readonly T[], size: number): T[][] => {
  const parts: T[][] = []
  for (let from = 0; from < all.length; from += size) parts.push(all.slice(from, from + size))
  return parts.length > 0 ? parts : [[]]
}

/**
 * Sends a list in sequential requests of at most `size` entries. If a request fails, the previous ones have
 * taken effect, so use it only for requests that can be repeated.
 */
export const inParts = async <R, T>(
  all: readonly T[],
  send: (part: T[]) => Promise<R>,
  size: number,
): Promise<R[]> => {
  const answers: R[] = []
  for (const part of partsOf(all, size)) answers.push(await send(part))
  return answers
}

/** Like {@link inParts} for responses that are lists: joins each of them, without duplicate names. */
export const inPartsMerged = async <R extends Lists>(
  imageNames: readonly string[],
  send: (part: string[]) => Promise<R>,
  size: number,
): Promise<R> => {
  return merged(await inParts(imageNames, send, size))
}

/** Joins each list of some answers, of which there is at least one, without duplicate names. */
export const merged = <R extends Lists>([first, ...others]: readonly R[]): R => {
  if (first === undefined) throw new Error('No part was sent')
  if (others.length === 0) return first
  const lists = Object.keys(first).map((key) => {
    const all = [first, ...others].flatMap((answer) => answer[key] ?? [])
    return [key, [...new Set(all)]]
  })
  return Object.fromEntries(lists) as R
}
