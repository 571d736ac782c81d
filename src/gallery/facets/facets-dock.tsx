import { ListFilter } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import type { Noun } from '#gallery/api/images/noun.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { focusFallback } from '#gallery/ui/keys/focus.ts'
import { lazyPart } from '#gallery/ui/lazy-part.ts'
import { Sheet } from '#gallery/ui/popups/drawer.tsx'
import { useFacetsPanel } from './facets-store.ts'

const FacetsPanel = lazyPart(async () => (await import('./facets-panel.tsx')).FacetsPanel)

/** The keys of the lists of values, which the lists handle themselves. */
const listKeys = [
  { id: 'facets.move', keys: ['ArrowDown', 'ArrowUp'], label: 'Next or previous value' },
  { id: 'facets.ends', keys: ['Home', 'End'], label: 'First or last value' },
  { id: 'facets.include', keys: 'Enter', label: 'Include the value' },
  { id: 'facets.exclude', keys: ['Delete', '-'], label: 'Exclude the value' },
].map((command) => ({ ...command, isKeyOnly: true, areKeysNative: true, run: () => {} }))

interface FacetsDockProps {
  view: ImageView
  noun: Noun
  /** The images. */
  children: ReactNode
}

/** The images with the open panel of properties next to them. On a narrow page the panel is a sheet. */
export function FacetsDock({ view, noun, children }: FacetsDockProps) {
  const canCount = useHasExtension('search_conditions')
  const { isOpen, isSheet, toggle, close } = useFacetsPanel()
  const aside = useRef<HTMLElement>(null)
  // A panel that was open before the page was loaded leaves the focus where it is.
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    const mustFocus = isOpen && !wasOpen.current
    wasOpen.current = isOpen
    if (!mustFocus || aside.current === null) return
    const before = document.activeElement
    aside.current.focus()
    return () => {
      const isLost = document.activeElement === document.body
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [isOpen])
  const toggleCommand = {
    id: 'facets.toggle',
    keys: 'g',
    label: 'Show or hide the properties',
    icon: ListFilter,
    run: toggle,
  }
  useCommands('Anywhere', canCount ? [toggleCommand] : [])
  const closeCommand = {
    id: 'facets.close',
    isKeyOnly: true,
    keys: 'Escape',
    label: 'Hide the properties',
    run: close,
  }
  useCommands('Properties', canCount ? [closeCommand, ...listKeys] : [], {
    when: () => aside.current?.contains(document.activeElement) ?? false,
  })
  const panel = (
    <Suspense>
      <FacetsPanel view={view} noun={noun} onClose={close} />
    </Suspense>
  )
  return (
    <div className="flex min-h-0 flex-1">
      <div className="relative flex min-w-0 flex-1 flex-col">{children}</div>
      {canCount && isSheet && (
        <Sheet label="Properties" isOpen={isOpen} onClose={close}>
          {panel}
        </Sheet>
      )}
      {canCount && isOpen && !isSheet && (
        <aside
          ref={aside}
          {...focusFallback}
          aria-label="Properties"
          className="-outline-offset-2 flex w-72 shrink-0 flex-col border-line border-l bg-surface"
        >
          {panel}
        </aside>
      )}
    </div>
  )
}
