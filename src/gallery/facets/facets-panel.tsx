import { ListFilter, TriangleAlert, X } from 'lucide-react'
import { memo } from 'react'
import { useLimitWait } from '#gallery/api/connection/connection.ts'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import type { Noun } from '#gallery/api/images/noun.ts'
import { Button, IconButton } from '#gallery/ui/button.tsx'
import { Notice } from '#gallery/ui/notice.tsx'
import { WaitingForLimit } from '#gallery/ui/waiting-for-limit.tsx'
import { goTo } from '#gallery/url/use-place.ts'
import { choicesIn, withoutChoices } from './facet-choices.ts'
import { FacetSection } from './facet-section.tsx'
import { type SectionKey, sectionKeys } from './facet-sections.ts'
import { levelsIn, useFacets } from './use-facets.ts'

interface FacetsPanelProps {
  view: ImageView
  noun: Noun
  onClose: () => void
}

/** The values of the properties of a view with their counts. Each can be included in the search or excluded from it. */
export function FacetsPanel({ view, noun, onClose }: FacetsPanelProps) {
  const hasChoices = choicesIn(view.query).length > 0
  return (
    <>
      <header className="flex min-h-12 shrink-0 items-center gap-1 border-line border-b py-1 pr-2 pl-4">
        <h2 className="flex-1 font-semibold">Properties</h2>
        {hasChoices && (
          <Button
            tone="quiet"
            onClick={() => goTo({ query: withoutChoices(view.query), image: null })}
          >
            Clear
          </Button>
        )}
        <IconButton label="Close properties" icon={X} onClick={onClose} />
      </header>
      <Content view={view} noun={noun} />
    </>
  )
}

/** Memoized: new images, which arrive many times per second, change only the title of the page. */
const Content = memo(({ view, noun }: Omit<FacetsPanelProps, 'onClose'>) => {
  const { data, isError, isPlaceholderData, refetch } = useFacets(view)
  const limitWait = useLimitWait()
  const choices = choicesIn(view.query)
  if (data === undefined && isError) {
    return (
      <Notice
        tone="danger"
        icon={TriangleAlert}
        title="Couldn’t count the properties"
        actions={<Button onClick={() => void refetch()}>Retry</Button>}
      />
    )
  }
  if (data === undefined) {
    return (
      <p role="status" className="p-4 text-muted text-sm">
        {limitWait === null ? 'Counting…' : <WaitingForLimit until={limitWait} />}
      </p>
    )
  }
  const facetOf = (wanted: SectionKey) => data.find(({ key }) => key === wanted)
  const chosenOf = (wanted: SectionKey) => choices.filter(({ key }) => key === wanted)
  const shown = sectionKeys.filter(
    (key) => (facetOf(key)?.total ?? 0) > 0 || (facetOf(key) && chosenOf(key).length > 0),
  )
  if (shown.length === 0) return <Notice icon={ListFilter} title="No properties in this view" />
  return (
    <div
      aria-busy={isPlaceholderData}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain pb-[max(0.5rem,env(safe-area-inset-bottom))]"
    >
      {shown.map((key) => (
        <FacetSection
          key={key}
          section={key}
          values={facetOf(key)?.values ?? []}
          total={facetOf(key)?.total ?? 0}
          levels={levelsIn(data, chosenOf(key))}
          choices={chosenOf(key)}
          view={view}
          noun={noun}
        />
      ))}
    </div>
  )
})
