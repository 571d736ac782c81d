import type { Facet, FacetKey, FacetValue } from '#contract/search/facets.ts'
import type { Plot, PlotValue } from './plot.ts'

/** The properties that are plotted, in the order of the page. */
export const plottedFacets = [
  ...(['month', 'model', 'lora', 'sampler', 'generator', 'size', 'shape', 'type'] as const),
] satisfies readonly FacetKey[]
export type PlottedFacet = (typeof plottedFacets)[number]

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
}

export const valueOfFacet = (
  wording: FacetWording,
  key: PlottedFacet,
  { value, count }: FacetValue,
): PlotValue => ({
  id: value,
  label: wording.textOf(key, value),
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
