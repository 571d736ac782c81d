import type { Figure } from '#bench/figures.ts'
import type { View } from '#server/core/images/image-ports.ts'
import { collect } from '#testing/collect.ts'
import { FREQUENT_WORD, nameAt } from './fill-records.ts'
import { LIMIT, type Library, type Measure, type Measured, view } from './record-measures.ts'

const viewOf = ({ kind }: Library, changes: Partial<View> = {}): View => ({
  ...view,
  kind,
  ...changes,
})

const middleOf = ({ rows }: Library) => Math.floor(rows / 2)

const pageInMiddle = (changes: Partial<View>) => (library: Library) =>
  library.records.images.page(viewOf(library, changes), {
    offset: middleOf(library),
    limit: LIMIT,
  })

/** Calls work with another number each time, so that no result is cached. */
const numbered = (work: (library: Library, at: number) => Promise<unknown>) => {
  let calls = 0
  return (library: Library) => work(library, calls++)
}

/** Each time zone has different days. There are 26. */
const zoneOf = (at: number) => `Etc/GMT${at % 26 < 13 ? '+' : '-'}${at % 13}`

/** Lists of images, or of images and videos if the library has them. */
const lists: readonly Measure[] = [
  {
    name: 'front',
    work: (library) => library.records.images.page(viewOf(library), { offset: 0, limit: LIMIT }),
  },
  { name: 'middle', work: pageInMiddle({}) },
  { name: 'middle, starred not first', work: pageInMiddle({ starredFirst: false }) },
  { name: 'middle, by name', work: pageInMiddle({ orderBy: 'name' }) },
  {
    name: 'middle, by size, oldest first',
    work: pageInMiddle({ orderBy: 'size', orderDir: 'ASC' }),
  },
  { name: 'middle, by duration', work: pageInMiddle({ orderBy: 'duration' }) },
  {
    name: 'among the longest',
    work: (library) =>
      library.records.images.page(viewOf(library, { orderBy: 'duration', starredFirst: false }), {
        offset: Math.floor(library.rows / 20),
        limit: LIMIT,
      }),
  },
  {
    name: 'behind an image',
    work: (library) =>
      library.records.images.page(viewOf(library), {
        after: nameAt(middleOf(library)),
        limit: LIMIT,
      }),
  },
  {
    name: 'position',
    work: (library) => library.records.images.position(viewOf(library), nameAt(middleOf(library))),
  },
  {
    name: 'count',
    work: (library) => library.records.images.page(viewOf(library), { offset: 0, limit: 0 }),
  },
  {
    name: 'every name',
    work: async (library) =>
      collect((await library.records.images.names(viewOf(library))).image_names.pieces),
  },
  {
    name: 'days',
    work: numbered((library, at) =>
      library.records.images.days({ ...viewOf(library), orderBy: 'taken_at' }, zoneOf(at)),
    ),
  },
  {
    name: 'ratios',
    work: numbered((library, at) => library.records.images.ratios(viewOf(library), zoneOf(at))),
  },
  {
    name: 'search for a frequent word',
    work: numbered((library, at) =>
      library.records.images.page(viewOf(library, { query: FREQUENT_WORD + ' '.repeat(at) }), {
        offset: 0,
        limit: LIMIT,
      }),
    ),
  },
]

export const kindMeasures: readonly Measure[] = lists.map((measure) => ({
  ...measure,
  name: `list of both kinds: ${measure.name}`,
}))

/**
 * Returns the lists to compare: of images, of both kinds in the same library, and of both kinds in one where a tenth are
 * videos.
 */
export const comparedLists = (
  libraries: readonly Library[],
  withVideos: readonly Library[],
): Library[][] =>
  withVideos.flatMap((mixed) => {
    const images = libraries.find(
      ({ engine, rows }) => engine === mixed.engine && rows === mixed.rows,
    )
    return images === undefined ? [] : [[images, { ...images, kind: 'all' as const }, mixed]]
  })

/** Compares lists of both kinds with the list of images. */
export const kindFigures = ({ measure, values }: Measured): Figure[] => {
  const [images, ...both] = values
  if (images === undefined) return []
  const { engine, rows } = images
  return both.map(({ value }, at) => ({
    name: `${measure.name}, ${at === 0 ? 'without videos' : 'a tenth videos'}, ${engine}, ${rows.toLocaleString('en')} rows`,
    value,
    unit: 'ms',
    baseline: { name: 'images', value: images.value },
    mark: '1.05 x',
  }))
}
