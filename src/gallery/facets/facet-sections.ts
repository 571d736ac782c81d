import { generators, type ImageGenerator } from '#contract/generators.ts'
import type { FacetKey, FacetValue } from '#contract/search/facets.ts'
import { perLocale } from '#gallery/ui/text/locale.ts'

/** A property with its own section in the panel. */
export type SectionKey = Exclude<FacetKey, 'board_id' | 'kind' | 'lens' | 'tag_level'>

/** The sections, in their order. */
export const sectionLabels: Readonly<Record<SectionKey, string>> = {
  model: 'Model',
  lora: 'LoRA',
  sampler: 'Sampler',
  scheduler: 'Scheduler',
  generator: 'Generator',
  shape: 'Shape',
  size: 'Size',
  type: 'Format',
  month: 'Month',
  rating: 'Rating',
  tag: 'Tag',
  board: 'Board',
  camera: 'Camera',
}

export const sectionKeys = Object.keys(sectionLabels) as SectionKey[]

const months = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
)

/** Returns the text that people read for a value. */
export const textOfValue = (key: SectionKey, value: string): string => {
  switch (key) {
    case 'generator':
      return generators[value as ImageGenerator]?.name ?? value
    case 'shape':
      return value.charAt(0).toUpperCase() + value.slice(1)
    case 'size':
      return value.replace('x', ' × ')
    case 'type':
      return value.toUpperCase()
    case 'rating':
      return value === '0' ? 'Not rated' : '★'.repeat(Number(value))
    case 'month':
      return months().format(new Date(`${value}-01`))
    default:
      return value
  }
}

/** The properties whose values people read and filter in other words than the server's. All have few values. */
const WORDED: readonly SectionKey[] = ['generator', 'month', 'rating']

/** Returns the text that the server filters by. */
export const textForServer = (key: SectionKey, text: string): string =>
  WORDED.includes(key) ? '' : text

/** Returns the values whose words contain a text, if the server does not filter them. */
export const valuesWith = (
  key: SectionKey,
  values: readonly FacetValue[],
  text: string,
): readonly FacetValue[] => {
  if (!WORDED.includes(key) || text === '') return values
  const wanted = text.toLowerCase()
  return values.filter(({ value }) =>
    `${textOfValue(key, value)} ${value}`.toLowerCase().includes(wanted),
  )
}
