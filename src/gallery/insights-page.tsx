import { Images } from 'lucide-react'
import { type ReactNode, useEffect, useMemo } from 'react'
import { viewOf } from '#gallery/api/images/image-windows.ts'
import { nounOfView } from '#gallery/api/images/noun.ts'
import { SaveSearch } from '#gallery/boards/searches/save-search.tsx'
import { useOpenSearch } from '#gallery/boards/searches/search-store.ts'
import { useBoardName, useItemCount, useVideoCount } from '#gallery/boards/use-boards.ts'
import { conditionOf } from '#gallery/facets/facet-choices.ts'
import { sectionLabels, textOfValue } from '#gallery/facets/facet-sections.ts'
import { FilterChip, FilterMenu } from '#gallery/images/filter-menu.tsx'
import type { FacetWording } from '#gallery/insights/facet-plots.ts'
import { InsightsView } from '#gallery/insights/insights-view.tsx'
import { useDays, useSummedView } from '#gallery/insights/use-insights.ts'
import { ConditionChips } from '#gallery/search/condition-chips.tsx'
import { SearchBox } from '#gallery/search/search-box.tsx'
import { PageHeader } from '#gallery/shell/page-header.tsx'
import { FoldingButton } from '#gallery/ui/button.tsx'
import { ALL_BOARDS } from '#gallery/url/place-order.ts'
import { goTo, usePlace } from '#gallery/url/use-place.ts'

export interface InsightsPageProps {
  /** Temporary messages of the page. */
  notes: ReactNode
}

/** The page of plots of a board, a saved search or all images. */
export function InsightsPage({ notes }: InsightsPageProps) {
  const place = usePlace()
  const view = useSummedView(useMemo(() => viewOf(place), [place]))
  const boardName = useBoardName(place.board)
  const openSearch = useOpenSearch()
  const { data: days } = useDays(view)
  const total = days?.days.reduce((sum, { count }) => sum + count, 0)
  const itemCount = useItemCount(place.board)
  const videoCount = useVideoCount(place.board)
  const noun = nounOfView(view, { itemCount, videoCount })
  const name = openSearch?.name ?? boardName
  useEffect(() => {
    document.title = 'Insights · Tessera'
  }, [])
  return (
    <main
      aria-label="Insights"
      tabIndex={-1}
      className="-outline-offset-2 flex min-h-0 flex-1 flex-col"
    >
      <PageHeader
        title="Insights"
        description={place.board === ALL_BOARDS && !openSearch ? '' : (name ?? '')}
        itemCount={total}
        noun={noun}
        filter={filter}
        view={searchAndFilter}
        actions={
          <FoldingButton
            label="Show the images"
            icon={Images}
            text="Images"
            onClick={() => goTo({ page: null, image: null })}
          />
        }
        below={conditions}
      />
      {notes}
      <InsightsView view={view} noun={noun} wording={wording} />
    </main>
  )
}

const wording: FacetWording = {
  labelOf: (key) => sectionLabels[key],
  textOf: textOfValue,
  conditionOf,
}
const conditions = <ConditionChips />
const filter = (
  <>
    <FilterChip />
    <SaveSearch />
  </>
)
const searchAndFilter = (
  <>
    <SearchBox />
    <FilterMenu />
  </>
)
