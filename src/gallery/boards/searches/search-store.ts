import { create } from 'zustand'
import { type NewSavedSearch, type SavedSearch, useSearches } from '#gallery/api/searches.ts'
import { createPreferences } from '#gallery/ui/preferences.ts'
import { usePlace } from '#gallery/url/use-place.ts'

/** Returns the saved search that is open; undefined: none, or another client has deleted it. */
export function useOpenSearch() {
  const { search } = usePlace()
  return useSearches()?.find(({ search_id }) => search_id === search)
}

/** The open dialog: a search to save, or a saved one that is renamed. */
export type SearchDialogState =
  | { readonly kind: 'new'; readonly search: NewSavedSearch }
  | { readonly kind: 'edit'; readonly search: SavedSearch }
  | null

const useDialogStore = create<{ dialog: SearchDialogState }>(() => ({ dialog: null }))

export const useSearchDialog = (): SearchDialogState => useDialogStore(({ dialog }) => dialog)

export const askToSave = (search: NewSavedSearch): void =>
  useDialogStore.setState({ dialog: { kind: 'new', search } })

export const askToRename = (search: SavedSearch): void =>
  useDialogStore.setState({ dialog: { kind: 'edit', search } })

export const closeSearchDialog = (): void => useDialogStore.setState({ dialog: null })

const useFolding = createPreferences('searches', { areFolded: false })

export const useAreSearchesFolded = (): boolean => useFolding(({ areFolded }) => areFolded)

export const toggleSearches = (): void =>
  void useFolding.setState(({ areFolded }) => ({ areFolded: !areFolded }))
