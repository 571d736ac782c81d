import { ListFilter } from 'lucide-react'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { IconButton } from '#gallery/ui/button.tsx'
import { useFacetsPanel } from './facets-store.ts'

/** Opens and closes the panel of properties. Absent if the server cannot count them. */
export function FacetsButton() {
  const { isOpen, toggle } = useFacetsPanel()
  if (!useHasExtension('search_conditions')) return null
  return (
    <IconButton
      label="Properties"
      icon={ListFilter}
      commandId="facets.toggle"
      aria-expanded={isOpen}
      className="size-9 aria-expanded:bg-accent-soft aria-expanded:text-accent"
      onClick={toggle}
    />
  )
}
