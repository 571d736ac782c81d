import { create } from 'zustand'
import { createPreferences } from '#gallery/ui/preferences.ts'
import { useIsCompact, useMedia } from '#gallery/ui/use-media.ts'
import type { SectionKey } from './facet-sections.ts'

/** The state that the browser remembers: the panel next to the images, and its folded sections. */
export const useFacetsPreference = createPreferences<{
  isOpen: boolean
  folded: readonly SectionKey[]
}>('facets', { isOpen: false, folded: [] })

/** A sheet covers the images, so it is not opened again by a reload. */
const useSheet = create(() => ({ isOpen: false }))

/** On narrower pages the panel would leave no room for the images. */
const NARROW = '(width < 64rem)'

/** Returns the state of the panel, which is a sheet on a narrow page. */
export function useFacetsPanel() {
  const isCompact = useIsCompact()
  const isSheet = useMedia(NARROW) || isCompact
  const isDocked = useFacetsPreference(({ isOpen }) => isOpen)
  const isUp = useSheet(({ isOpen }) => isOpen)
  const isOpen = isSheet ? isUp : isDocked
  const setOpen = (isOpen: boolean): void => {
    if (isSheet) useSheet.setState({ isOpen })
    else useFacetsPreference.setState({ isOpen })
  }
  return { isSheet, isOpen, toggle: () => setOpen(!isOpen), close: () => setOpen(false) }
}

export const useIsFolded = (key: SectionKey): boolean =>
  useFacetsPreference(({ folded }) => folded.includes(key))

export const toggleFold = (key: SectionKey): void =>
  void useFacetsPreference.setState(({ folded }) => ({
    folded: folded.includes(key) ? folded.filter((each) => each !== key) : [...folded, key],
  }))
