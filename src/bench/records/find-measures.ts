import type { FacetKey } from '#contract/search/facets.ts'
import { type InsightKey, insightKeys } from '#contract/search/insights.ts'
import type { View } from '#server/core/images/image-ports.ts'
import { openPictureGrouper } from '#server/storage/likeness/open-picture-grouper.ts'
import { nameAt, tagAt, USUAL_WORD } from './fill-records.ts'
import { LIMIT, type Library, type LongWork, type Measure, view } from './record-measures.ts'

const page =
  (query: string, changes: Partial<View> = {}) =>
  (library: Library) =>
    library.records.images.page({ ...view, ...changes, query }, { offset: 0, limit: LIMIT })

const facets =
  (keys: readonly FacetKey[], query: string, text?: string) =>
  ({ records }: Library) =>
    records.images.facets({ ...view, query }, { keys, text, limit: 20, timeZone: 'Europe/Berlin' })

const tenFacets: readonly FacetKey[] = [
  ...(['model', 'lora', 'sampler', 'scheduler', 'generator'] as const),
  ...(['shape', 'size', 'type', 'month', 'board'] as const),
]

const insights =
  (keys: readonly InsightKey[], query: string) =>
  ({ records }: Library) =>
    records.images.insights({ ...view, query }, { keys, limit: 50 })

/** All requests of the page of insights. */
const allInsights = (query: string) => async (library: Library) => {
  const { images } = library.records
  await images.days({ ...view, query, orderBy: 'taken_at' }, 'Europe/Berlin')
  await facets(tenFacets, query)(library)
  await insights(insightKeys, query)(library)
}

const byMatch: Partial<View> = { orderBy: 'relevance' }

/** Groups the whole library, with a new thread. */
const duplicates =
  (distance: number) =>
  async ({ records }: Library) => {
    const grouper = openPictureGrouper()
    const pictures = await records.duplicates.pictures()
    const sameBytes = await records.duplicates.sameBytes()
    const { groups } = grouper.group(pictures, sameBytes, { distance, ratio: 140 })
    const found = (await groups) ?? new Uint32Array()
    await records.duplicates.page({ ...view, kind: 'all' }, found, { offset: 0, limit: 50 })
    await grouper.close()
  }

const find = (name: string, mark: string, work: Measure['work']): Measure => ({
  name: `find: ${name}, after a change`,
  mark,
  isCold: true,
  work,
})

/** Searches with conditions, facets and insights. The marks are those of a million images. */
export const findMeasures: readonly Measure[] = [
  find('a condition that matches few', '50 ms', page('model:"999"')),
  find('a condition that matches a tenth', '150 ms', page('sampler:euler')),
  find('a condition that matches most', '200 ms', page('steps>1')),
  find('a LoRA', '50 ms', page('lora:2999')),
  find('a tag', '50 ms', page(`tag="${tagAt(19_999)}"`)),
  find('a level of tags', '150 ms', page('tag="level 1/"')),
  find('a rating', '150 ms', page('rating>=4')),
  find('all but a model', '200 ms', page('-model:"999"')),
  find(
    'three conditions and a word',
    '200 ms',
    page(`${USUAL_WORD} steps>20 shape:portrait -is:starred`),
  ),
  find('alternatives', '200 ms', page('(shape:square OR lora:"LoRA 1") size>=1024')),
  find('a date by name', '200 ms', page('after:2025', { orderBy: 'name' })),
  find('ten facets of a search', '400 ms', facets(tenFacets, 'steps>20')),
  find('ten facets of all images', '400 ms', facets(tenFacets, '')),
  find('facets of ratings and tags', '400 ms', facets(['rating', 'tag'], 'steps>20')),
  find('counts of the sidebar', '400 ms', facets(['rating', 'tag_level'], 'steps>20')),
  find('insights: storage', '400 ms', insights(['storage'], '')),
  find('insights: seeds', '2 s', insights(['seeds'], '')),
  find('insights: words', '2 s', insights(['words'], '')),
  find('all insights', '2 s', allInsights('')),
  find('all insights of a search', '2 s', allInsights('steps>20')),
  find('images that look like one', '50 ms', page(`like:${nameAt(57)}`, byMatch)),
  find('images with a color', '200 ms', page('color:orange', byMatch)),
  find('images with a like prompt', '400 ms', page(`like:prompt:${nameAt(57)}`, byMatch)),
  find('images with like parameters', '200 ms', page(`like:parameters:${nameAt(57)}`, byMatch)),
  find('the same pictures', '60 s', duplicates(3)),
  find('nearly the same pictures', '60 s', duplicates(7)),
  find('the completion of a model', '30 ms', facets(['model'], '', 'mod')),
  find('the completion of a LoRA', '30 ms', facets(['lora'], '', 'lo')),
  find('the completion of a tag', '30 ms', facets(['tag'], '', 'tag 1')),
]

/** Changes the library before each round, so that no answer comes from a cache. */
const longSearch = (name: string, work: Measure['work'], memoryMark?: string): LongWork => ({
  name,
  ...(memoryMark && { memoryMark }),
  work: async (library, round) => {
    await library.records.images.setStarred([nameAt(0)], round % 2 === 0)
    await work(library)
  },
})

/** Long searches, next to which small requests are measured. */
export const longSearches: readonly LongWork[] = [
  longSearch('ten facets of a search are counted', facets(tenFacets, 'steps>20')),
  longSearch('all insights are counted', allInsights('')),
  longSearch('look-alikes of an image are found', page(`like:${nameAt(57)}`, byMatch)),
  longSearch('the library is grouped', duplicates(3), '200 MB'),
]
