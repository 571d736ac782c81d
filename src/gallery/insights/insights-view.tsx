import { ChartColumn } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Facet } from '#contract/search/facets.ts'
import { useLimitWait } from '#gallery/api/connection/connection.ts'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import type { Noun } from '#gallery/api/images/noun.ts'
import { Button } from '#gallery/ui/button.tsx'
import { Notice } from '#gallery/ui/notice.tsx'
import { WaitingForLimit } from '#gallery/ui/waiting-for-limit.tsx'
import { formatPlace } from '#gallery/url/place.ts'
import { goTo, usePlace } from '#gallery/url/use-place.ts'
import { BarPlot, useRowHeight } from './bar-plot.tsx'
import { DayPlot, useDaysHeight } from './day-plot.tsx'
import {
  type FacetWording,
  facetTitles,
  isWorthPlotting,
  type PlottedFacet,
  plotOfFacet,
  plottedFacets,
} from './facet-plots.ts'
import { MONTHS_HEIGHT_PX, MonthPlot } from './month-plot.tsx'
import type { Plot, PlotValue } from './plot.ts'
import { PlotCard } from './plot-card.tsx'
import { useScrollPlace } from './scroll-places.ts'
import { plotOfSum, type SumPlot, sumPlots } from './sum-plots.ts'
import { yearsOf } from './time-values.ts'
import { useAllValues, useDays, useFacetCounts, useSums } from './use-insights.ts'

interface InsightsViewProps {
  view: ImageView
  noun: Noun
  wording: FacetWording
}

/** Bars of the plots that have few values in most libraries, and of the others. */
const bars = {
  ...{ shape: 3, size: 6, type: 6, rating: 6, generator: 6, sampler: 6 },
  'format-storage': 6,
} as const
const MANY_BARS = 10

const barsOf = (id: string): number => (bars as Record<string, number>)[id] ?? MANY_BARS

/** All plots of a view. */
export function InsightsView({ view, noun, wording }: InsightsViewProps) {
  const days = useDays(view)
  const limitWait = useLimitWait()
  const page = useRef<HTMLDivElement>(null)
  useScrollPlace(page, formatPlace(usePlace()))
  if (days.data?.days.length === 0 && !days.isPlaceholderData)
    return <NothingToPlot isSearching={view.query !== ''} />
  return (
    <div
      ref={page}
      className="@container min-h-0 flex-1 overflow-y-auto overscroll-contain bg-sunken"
    >
      {days.data === undefined && limitWait !== null && (
        <p role="status" className="px-4 pt-4 text-muted text-sm wide:px-6">
          <WaitingForLimit until={limitWait} />
        </p>
      )}
      <div className="grid grid-cols-1 gap-3 p-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] @4xl:grid-cols-2 @7xl:grid-cols-3 wide:gap-4 wide:p-6">
        <DayCard days={days} noun={noun} />
        <FacetCards view={view} noun={noun} wording={wording} />
        {sumPlots.map((sum) => (
          // The storage of a single board is not compared with others.
          <SumCard
            key={sum.id}
            isHidden={sum.id === 'board-storage' && view.boardId !== null}
            {...{ view, noun, wording, sum }}
          />
        ))}
      </div>
    </div>
  )
}

const NothingToPlot = ({ isSearching }: { isSearching: boolean }) => (
  <Notice
    icon={ChartColumn}
    title={isSearching ? 'No images match' : 'No images to plot'}
    actions={
      isSearching && <Button onClick={() => goTo({ query: '', image: null })}>Clear search</Button>
    }
  >
    {isSearching
      ? 'Change or remove a condition of the search.'
      : 'Plots appear here when there are images.'}
  </Notice>
)

function DayCard({ days, noun }: { days: ReturnType<typeof useDays>; noun: Noun }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const years = days.data === undefined ? [] : yearsOf(days.data)
  const year = years.find((each) => each.year === chosen) ?? years[0]
  const plot: Plot | undefined = days.data && {
    id: 'days',
    title: year === undefined ? 'Days' : `Days of ${year.year}`,
    property: 'Day',
    values: year?.values ?? [],
    total: year?.values.length ?? 0,
  }
  const choice = years.length > 1 && (
    <select
      aria-label="Year"
      value={year?.year}
      onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      className="h-8 rounded border border-line bg-raised px-2 text-sm pointer-coarse:h-11"
    >
      {years.map((each) => (
        <option key={each.year}>{each.year}</option>
      ))}
    </select>
  )
  return (
    <PlotCard
      title={plot?.title ?? 'Days'}
      noun={noun}
      plot={plot}
      isError={days.isError}
      isOld={days.isPlaceholderData}
      onRetry={() => void days.refetch()}
      loadAll={async () => years.toReversed().flatMap(({ values }) => values.map(withIdAsLabel))}
      heightPx={useDaysHeight()}
      choice={choice}
      isWide
    >
      {(shown) => year && <DayPlot plot={shown} year={year} noun={noun} />}
    </PlotCard>
  )
}

/** Files have dates and numbers that spreadsheets understand. */
const withIdAsLabel = (value: PlotValue): PlotValue => ({ ...value, label: value.id })

function FacetCards({ view, noun, wording }: InsightsViewProps) {
  const facets = useFacetCounts(view)
  const { ofFacet } = useAllValues(view, wording)
  const rowPx = useRowHeight()
  const facetOf = (key: PlottedFacet): Facet | undefined =>
    facets.data?.find((facet) => facet.key === key)
  const shown = plottedFacets.filter((key) => {
    const facet = facetOf(key)
    return facet === undefined || isWorthPlotting(facet)
  })
  return shown.map((key) => {
    const facet = facetOf(key)
    const isMonth = key === 'month'
    return (
      <PlotCard
        key={key}
        title={facetTitles[key]}
        noun={noun}
        plot={facet && plotOfFacet(wording, key, facet)}
        isError={facets.isError}
        isOld={facets.isPlaceholderData}
        onRetry={() => void facets.refetch()}
        loadAll={async () => {
          const values = await ofFacet(key)
          if (isMonth) return values.map(withIdAsLabel).toReversed()
          return key === 'rating' ? values.map(withIdAsLabel) : values
        }}
        heightPx={isMonth ? MONTHS_HEIGHT_PX : barsOf(key) * rowPx}
        isWide={isMonth}
      >
        {(plot) =>
          isMonth ? (
            <MonthPlot plot={plot} noun={noun} />
          ) : (
            <BarPlot plot={plot} noun={noun} limit={barsOf(key)} />
          )
        }
      </PlotCard>
    )
  })
}

interface SumCardProps extends InsightsViewProps {
  sum: SumPlot
  isHidden: boolean
}

function SumCard({ view, noun, wording, sum, isHidden }: SumCardProps) {
  const sums = useSums(view, sum.insight)
  const { ofSum } = useAllValues(view, wording)
  const rowPx = useRowHeight()
  if (isHidden) return null
  return (
    <PlotCard
      title={sum.title}
      noun={noun}
      plot={sums.data && plotOfSum(sum, sums.data)}
      isError={sums.isError}
      isOld={sums.isPlaceholderData}
      onRetry={() => void sums.refetch()}
      loadAll={() => ofSum(sum)}
      heightPx={barsOf(sum.id) * rowPx}
    >
      {(plot) => <BarPlot plot={plot} noun={noun} limit={barsOf(sum.id)} />}
    </PlotCard>
  )
}
