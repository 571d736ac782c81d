/** More and longer extensions are counted together. */
const MAX_EXTENSIONS = 50

/** Other extensions may be part of a sentence, or invisible. */
const SHORT_EXTENSION = /^[\p{L}\p{N}_+~-]{1,12}$/u

/** Counts the files that an import leaves out, by extension. */
export const openLeftFiles = () => {
  const walks: Map<string, number>[] = []
  return {
    /** Returns a function that counts a file of a new walk by its extension in lower case. */
    startWalk: () => {
      const left = new Map<string, number>()
      walks.push(left)
      return (extension: string): void => {
        const isKept = left.has(extension) || left.size < MAX_EXTENSIONS
        const key = isKept && SHORT_EXTENSION.test(extension) ? extension : ''
        left.set(key, (left.get(key) ?? 0) + 1)
      }
    },
    // One walk counts the files and another one reads them: the one that is ahead has seen more.
    counts: (): ReadonlyMap<string, number> =>
      walks.toSorted((a, b) => total(b) - total(a))[0] ?? new Map(),
  }
}

const total = (left: ReadonlyMap<string, number>): number =>
  [...left.values()].reduce((sum, count) => sum + count, 0)
