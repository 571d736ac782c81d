import { Search } from 'lucide-react'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { focusField } from './field.ts'
import { SearchField } from './search-field.tsx'

/** Searches while the user types. The query is stored in the URL. */
export function SearchBox() {
  const hasConditions = useHasExtension('search_conditions')
  useCommands('Anywhere', [
    { id: 'search', keys: '/', label: 'Search images', icon: Search, run: focusField },
  ])
  return <SearchField hasConditions={hasConditions} />
}
