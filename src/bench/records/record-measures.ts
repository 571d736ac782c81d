import type { View } from '#server/core/images/image-ports.ts'
import type { Records } from '#server/core/record-ports.ts'
import { FREQUENT_WORD, nameAt, RARE_WORD, USUAL_WORD } from './fill-records.ts'

/** A benchmark library with its number of rows. */
export interface Library {
  engine: 'embedded' | 'PostgreSQL'
  rows: number
  /** The kind of the lists that are measured. `all`: a tenth of the items may be videos. */
  kind: 'image' | 'all'
  records: Records
}

/** An operation to measure on libraries of each size. */
export interface Measure {
  name: string
  mark?: string
  /** True to change one star before each round and report the 95th percentile. */
  isCold?: boolean
  work(library: Library): Promise<unknown>
}

/** An operation next to which small requests are measured. */
export interface LongWork {
  name: string
  /** If present, the memory of the process is measured too. */
  memoryMark?: string
  work(library: Library, round: number): Promise<unknown>
}

/** Times of an operation in milliseconds, for each library. */
export interface Measured {
  measure: Measure
  values: { engine: Library['engine']; rows: number; value: number }[]
}

/** The gallery's initial view. */
export const view = {
  orderBy: 'created_at',
  orderDir: 'DESC',
  starredFirst: true,
  isIntermediate: false,
} as const satisfies View

export const LIMIT = 100

const middleOf = ({ rows }: Library) => Math.floor(rows / 2)

const search = (query: string) => (library: Library) =>
  library.records.images.page({ ...view, query }, { offset: 0, limit: LIMIT })

/** Searches with another number of spaces in each round, so that no result is cached. */
const firstSearch = (query: string) => {
  let spaces = ''
  return (library: Library) => {
    spaces += ' '
    return search(query + spaces)(library)
  }
}

const orderMeasures = (['taken_at', 'name', 'size'] as const).flatMap((orderBy): Measure[] => {
  const ordered: View = { ...view, orderBy }
  const starsAmong: View = { ...ordered, starredFirst: false }
  return [
    {
      name: `page of 100 at the front, by ${orderBy}`,
      mark: '1 x, within 20 %',
      work: ({ records }) => records.images.page(ordered, { offset: 0, limit: LIMIT }),
    },
    {
      name: `page of 100 in the middle, by ${orderBy}`,
      mark: 'under 50 ms',
      work: (library) =>
        library.records.images.page(ordered, { offset: middleOf(library), limit: LIMIT }),
    },
    {
      name: `page of 100 in the middle, by ${orderBy}, starred not first`,
      mark: 'under 50 ms',
      work: (library) =>
        library.records.images.page(starsAmong, { offset: middleOf(library), limit: LIMIT }),
    },
    {
      name: `page of 100 behind an image, by ${orderBy}, starred not first`,
      mark: 'under 2 x',
      work: (library) => {
        const after = nameAt(middleOf(library))
        return library.records.images.page(starsAmong, { after, limit: LIMIT })
      },
    },
    {
      name: `position of an image, by ${orderBy}`,
      work: (library) => library.records.images.position(ordered, nameAt(middleOf(library))),
    },
  ]
})

const days =
  (changes: Partial<View> = {}) =>
  ({ records }: Library) =>
    records.images.days({ ...view, ...changes, orderBy: 'taken_at' }, 'Europe/Berlin')

const dayMeasures: readonly Measure[] = [
  { name: 'days, after a change', mark: 'under 150 ms', isCold: true, work: days() },
  {
    name: 'days, starred not first, after a change',
    isCold: true,
    work: days({ starredFirst: false }),
  },
  {
    name: 'days of a rare category, after a change',
    isCold: true,
    work: days({ categories: ['user'] }),
  },
  {
    name: 'days of a frequent word, after a change',
    isCold: true,
    work: days({ query: FREQUENT_WORD }),
  },
  { name: 'days, again', work: days() },
  {
    name: 'ratios, after a change',
    isCold: true,
    work: ({ records }) => records.images.ratios(view, null),
  },
  { name: 'ratios, again', work: ({ records }) => records.images.ratios(view, null) },
]

export const measures: readonly Measure[] = [
  {
    name: 'page of 100 at the front',
    mark: '1 x, within 20 %',
    work: ({ records }) => records.images.page(view, { offset: 0, limit: LIMIT }),
  },
  {
    name: 'page of 100 in the middle, by position',
    mark: 'under 50 ms',
    work: (library) =>
      library.records.images.page(view, { offset: middleOf(library), limit: LIMIT }),
  },
  {
    name: 'page of 100 in the middle, by key',
    mark: 'under 2 x',
    work: (library) => {
      const after = nameAt(middleOf(library))
      return library.records.images.page(view, { after, limit: LIMIT })
    },
  },
  {
    name: 'page of 100 at the end',
    work: ({ records, rows }) => {
      const offset = Math.floor(rows * 0.99) - LIMIT
      return records.images.page(view, { offset, limit: LIMIT })
    },
  },
  {
    name: 'page of 100 in the middle, oldest first',
    work: (library) => {
      const oldest: View = { ...view, orderDir: 'ASC' }
      return library.records.images.page(oldest, { offset: middleOf(library), limit: LIMIT })
    },
  },
  {
    name: 'page of 100 with intermediates',
    work: ({ records }) => {
      const { isIntermediate: _, ...both } = view
      return records.images.page(both, { offset: 0, limit: LIMIT })
    },
  },
  {
    name: 'page of 100 of a rare category, after a change',
    isCold: true,
    work: ({ records }) =>
      records.images.page({ ...view, categories: ['user'] }, { offset: 0, limit: LIMIT }),
  },
  {
    name: 'page of 100 of a rare category in the middle',
    work: ({ records, rows }) => {
      const offset = Math.floor(rows / 50)
      return records.images.page({ ...view, categories: ['user'] }, { offset, limit: LIMIT })
    },
  },
  ...orderMeasures,
  ...dayMeasures,
  { name: 'count', work: ({ records }) => records.images.page(view, { offset: 0, limit: 0 }) },
  {
    name: 'position of the one in the middle',
    work: (library) => library.records.images.position(view, nameAt(middleOf(library))),
  },
  {
    name: '300 boards with covers and counts',
    work: ({ records }) =>
      records.boards.list({ orderBy: 'board_name', direction: 'ASC', includeArchived: false }),
  },
  { name: 'search, rare word, after a change', isCold: true, work: search(RARE_WORD) },
  { name: 'search, word of a tenth, after a change', isCold: true, work: search(USUAL_WORD) },
  { name: 'first search, rare word', isCold: true, work: firstSearch(RARE_WORD) },
  { name: 'first search, word of a tenth', isCold: true, work: firstSearch(USUAL_WORD) },
  { name: 'first search, frequent word', isCold: true, work: firstSearch(FREQUENT_WORD) },
  {
    name: 'search, frequent word, after a change',
    mark: 'p95 under 100 ms',
    isCold: true,
    work: search(FREQUENT_WORD),
  },
  {
    name: 'search, frequent word by name, after a change',
    mark: 'p95 under 100 ms',
    isCold: true,
    work: ({ records }) =>
      records.images.page(
        { ...view, orderBy: 'name', query: FREQUENT_WORD },
        { offset: 0, limit: LIMIT },
      ),
  },
  {
    name: 'search, frequent phrase, after a change',
    mark: 'p95 under 100 ms',
    isCold: true,
    work: search('"sharp focus"'),
  },
  {
    name: 'search, frequent substring of the metadata, after a change',
    mark: 'p95 under 100 ms',
    isCold: true,
    work: ({ records }) =>
      records.images.page({ ...view, searchTerm: FREQUENT_WORD }, { offset: 0, limit: LIMIT }),
  },
  { name: 'search, nothing found, also inside words', isCold: true, work: search('anternfisxx') },
  { name: 'search, frequent word, again', work: search(FREQUENT_WORD) },
  {
    name: 'search_term, a substring of everything',
    isCold: true,
    work: ({ records }) =>
      records.images.page({ ...view, searchTerm: 'no such text' }, { offset: 0, limit: LIMIT }),
  },
]
