import { create } from 'zustand'
import { DEFAULT_HASH_DISTANCE } from '#contract/likeness/duplicates.ts'
import { type DuplicateGroup, type DuplicateMatch, keyOfGroup } from '#gallery/api/duplicates.ts'
import { createPreferences } from '#gallery/ui/preferences.ts'

/** How much alike duplicates must be. */
interface Likeness {
  readonly match: DuplicateMatch
  /** Of `near`. */
  readonly distance: number
}

const useStored = createPreferences<Likeness>('duplicates', {
  match: 'picture',
  distance: DEFAULT_HASH_DISTANCE,
})

export const useLikeness = (): Likeness => useStored()

export const setLikeness = (likeness: Partial<Likeness>): void => void useStored.setState(likeness)

/** The images that the user keeps instead of the suggested ones, by the key of their group. */
const useKept = create<{ kept: ReadonlyMap<string, string> }>(() => ({ kept: new Map() }))

export const keepInstead = (group: DuplicateGroup, imageName: string): void =>
  useKept.setState(({ kept }) => ({ kept: new Map(kept).set(keyOfGroup(group), imageName) }))

export const forgetChoices = (): void => useKept.setState({ kept: new Map() })

/** Returns the image of a group to keep: the one that the user chose, or the suggested one. */
export function keptOf(group: DuplicateGroup, kept: ReadonlyMap<string, string>): string {
  const chosen = kept.get(keyOfGroup(group))
  return group.images.some(({ image_name }) => image_name === chosen)
    ? (chosen ?? group.keep)
    : group.keep
}

export const useKeptOf = (group: DuplicateGroup): string =>
  useKept(({ kept }) => keptOf(group, kept))

export const currentKept = (): ReadonlyMap<string, string> => useKept.getState().kept

/** The image that the keys act on. */
interface Active {
  readonly groupKey: string
  readonly imageName: string
  /** True if a key has moved here, so that the image takes the focus. */
  readonly takesFocus: boolean
}

const useActiveStore = create<{ active: Active | null }>(() => ({ active: null }))

export const useActive = (): Active | null => useActiveStore(({ active }) => active)

export const currentActive = (): Active | null => useActiveStore.getState().active

export const setActive = (groupKey: string, imageName: string, takesFocus = false): void =>
  useActiveStore.setState(({ active }) => {
    const isSame = active?.imageName === imageName && active.groupKey === groupKey
    return isSame && !takesFocus ? {} : { active: { groupKey, imageName, takesFocus } }
  })

/** The focus went elsewhere, so the image must not take it back when it scrolls into view. */
export const releaseActive = (): void =>
  useActiveStore.setState(({ active }) =>
    active ? { active: { ...active, takesFocus: false } } : {},
  )
