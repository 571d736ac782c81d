import { createPreferences } from '#gallery/ui/preferences.ts'

const MAX_COUNT = 8

/** The last searches, newest first. */
const useRecent = createPreferences('recent-searches', { queries: [] as readonly string[] })

export const useRecentSearches = (): readonly string[] => useRecent(({ queries }) => queries)

export const rememberSearch = (query: string): void => {
  const wanted = query.trim()
  if (wanted === '') return
  useRecent.setState(({ queries }) => ({
    queries: [wanted, ...queries.filter((one) => one !== wanted)].slice(0, MAX_COUNT),
  }))
}

export const forgetSearch = (query: string): void =>
  void useRecent.setState(({ queries }) => ({ queries: queries.filter((one) => one !== query) }))

export const forgetSearches = (): void => void useRecent.setState({ queries: [] })
