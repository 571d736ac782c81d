import type { Facet, FacetKey, FacetValue } from '#contract/search/facets.ts'
import { countOf } from '#gallery/ui/text/count.ts'
import type { Plot, PlotValue } from './plot.ts'

/** The properties that are plotted, in the order of the page. */
export const plottedFacets = [
  ...(['month', 'model', 'lora', 'sampler', 'generator'] as const),
  ...(['size', 'shape', 'type', 'rating'] as const),
] satisfies readonly FacetKey[]
export type PlottedFacet = (typeof plottedFacets)[number]

/** Returns false for a property that the images do not have: a library of photos has no models. */
export const isWorthPlotting = ({ key, values, total }: Facet): boolean =>
  key === 'rating' ? values.some(({ value }) => value !== UNRATED) : total > 0

const UNRATED = '0'

/** The words of the panel of properties, so that the same value has the same name and condition everywhere. */
export interface FacetWording {
  readonly labelOf: (key: PlottedFacet) => string
  readonly textOf: (key: PlottedFacet, value: string) => string
  readonly conditionOf: (key: PlottedFacet, value: string) => string
}

export const facetTitles: Readonly<Record<PlottedFacet, string>> = {
  month: 'Months',
  model: 'Models',
  lora: 'LoRAs',
  sampler: 'Samplers',
  generator: 'Generators',
  shape: 'Shapes',
  size: 'Sizes',
  type: 'Formats',
  rating: 'Ratings',
}

export const valueOfFacet = (
  wording: FacetWording,
  key: PlottedFacet,
  { value, count }: FacetValue,
): PlotValue => ({
  id: value,
  // Screen readers do not read stars as a number.
  label:
    key === 'rating' && value !== UNRATED
      ? countOf(Number(value), 'star')
      : wording.textOf(key, value),
  count,
  condition: wording.conditionOf(key, value),
})

/** Returns the plot of a property. Months are in the order of time. */
export const plotOfFacet = (wording: FacetWording, key: PlottedFacet, facet: Facet): Plot => {
  const values = facet.values.map((value) => valueOfFacet(wording, key, value))
  return {
    id: `${key}s`,
    title: facetTitles[key],
    property: wording.labelOf(key),
    values: key === 'month' ? values.reverse() : values,
    total: facet.total,
  }
}
