import { create } from 'zustand'
import type { Tag } from '#gallery/api/tags/tags.ts'
import { createPreferences } from '#gallery/ui/preferences.ts'

const useFolding = createPreferences('marks', {
  areRatingsShown: false,
  areTagsShown: false,
  /** Tags whose lower levels are shown. */
  unfolded: [] as readonly string[],
})

export const useAreRatingsShown = (): boolean =>
  useFolding(({ areRatingsShown }) => areRatingsShown)

export const useAreTagsShown = (): boolean => useFolding(({ areTagsShown }) => areTagsShown)

export const useUnfoldedTags = (): readonly string[] => useFolding(({ unfolded }) => unfolded)

export const toggleRatings = (): void =>
  void useFolding.setState(({ areRatingsShown }) => ({ areRatingsShown: !areRatingsShown }))

export const toggleTags = (): void =>
  void useFolding.setState(({ areTagsShown }) => ({ areTagsShown: !areTagsShown }))

/** Shows the levels below a tag, or hides them. */
export const setTagFolded = (name: string, isFolded: boolean): void =>
  void useFolding.setState(({ unfolded }) => {
    const others = unfolded.filter((one) => one !== name)
    return { unfolded: isFolded ? others : [...others, name] }
  })

const useRenaming = create<{ name: string | null }>(() => ({ name: null }))

/** Returns the name of the tag that is being renamed; null: none. */
export const useTagToRename = (): string | null => useRenaming(({ name }) => name)

export const askToRenameTag = ({ name }: Pick<Tag, 'name'>): void => useRenaming.setState({ name })

export const closeTagRenaming = (): void => useRenaming.setState({ name: null })
