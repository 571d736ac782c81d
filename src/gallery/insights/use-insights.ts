import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { MAX_FACET_VALUES } from '#contract/search/facets.ts'
import { type InsightKey, MAX_INSIGHT_VALUES } from '#contract/search/insights.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { type FacetWording, type PlottedFacet, plottedFacets, valueOfFacet } from './facet-plots.ts'
import { type PlotValue, TABLE_VALUES } from './plot.ts'
import type { SumPlot } from './sum-plots.ts'

/** Returns the view whose images are summed up. Its order decides which date the days are counted by. */
export const useSummedView = (view: ImageView): ImageView =>
  useMemo(
    () => ({
      ...view,
      orderBy: 'taken_at' as const,
      orderDir: 'DESC' as const,
      starredFirst: false,
    }),
    [view],
  )

/** The number of images of each day. The counts before are shown until the new ones arrive, as for all plots. */
export function useDays(view: ImageView) {
  const { imageQueries } = useGallery()
  return useQuery({ ...imageQueries.days(view), placeholderData: keepPreviousData })
}

export function useFacetCounts(view: ImageView) {
  const { imageQueries } = useGallery()
  return useQuery({
    ...imageQueries.facets(view, {
      keys: plottedFacets,
      // All months are plotted.
      limit: 20 * TABLE_VALUES,
      text: '',
      alternatives: false,
    }),
    placeholderData: keepPreviousData,
  })
}

export function useSums(view: ImageView, insight: InsightKey) {
  const { imageQueries } = useGallery()
  return useQuery({
    ...imageQueries.insights(view, { keys: [insight], limit: TABLE_VALUES }),
    placeholderData: keepPreviousData,
  })
}

/** Returns functions that list all values of a plot for its file. */
export function useAllValues(view: ImageView, wording: FacetWording) {
  const { imageQueries, queryClient } = useGallery()
  return {
    ofFacet: async (key: PlottedFacet): Promise<readonly PlotValue[]> => {
      const options = { keys: [key], limit: MAX_FACET_VALUES, text: '', alternatives: false }
      const [facet] = await queryClient.fetchQuery(imageQueries.facets(view, options))
      const values = facet?.values ?? []
      return values.map((value) => valueOfFacet(wording, key, value))
    },
    ofSum: async (sum: SumPlot): Promise<readonly PlotValue[]> => {
      const options = { keys: [sum.insight], limit: MAX_INSIGHT_VALUES }
      const insights = await queryClient.fetchQuery(imageQueries.insights(view, options))
      return sum.contentOf(insights)?.values ?? []
    },
  }
}
