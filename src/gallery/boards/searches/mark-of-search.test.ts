import { expect, test } from 'vitest'
import type { SavedSearch } from '#gallery/api/searches.ts'
import type { ImagesPayload } from '#gallery/ui/drag/drag.ts'
import { markOfSearch } from './mark-of-search.ts'

/** Returns what a drop on a search does; null if it is refused. */
function markOf(query: string, filter: SavedSearch['filter'] = null): unknown {
  let given: unknown = null
  const give = (mark: unknown) => {
    given = mark
  }
  const images = {
    rate: give,
    raise: (rating: number) => give(`at least ${rating}`),
    tag: give,
    star: () => give('star'),
  }
  markOfSearch({ query, filter })?.(images as unknown as ImagesPayload)
  return given
}

test.each([
  ['tag:people', 'people'],
  ['tag=people/anna', 'people/anna'],
  ['tag=people/', 'people'],
  ['tag:"Best of"', 'Best of'],
  ['rating:0', 0],
  ['rating:5', 5],
  ['rating>=4', 'at least 4'],
  ['rating>3', 'at least 4'],
  ['rating:3..3', 3],
  ['is:starred', 'star'],
])('%s gives dropped images %j', (query, mark) => {
  expect(markOf(query)).toBe(mark)
})

test('a search without conditions for starred images gives the star', () => {
  expect(markOf('', { starred: true })).toBe('star')
})

test.each([
  '',
  'castle',
  'tag:a tag:b',
  'tag:a OR tag:b',
  '-tag:a',
  '-is:starred',
  'is:animated',
  'has:tag',
  'rating>5',
  'rating>=0',
  'rating<=3',
  'rating<3',
  'rating:2..4',
  'rating:..4',
  'rating:x',
  'steps:20',
])('%s takes no images', (query) => {
  expect(markOf(query)).toBeNull()
})

test.each([{ kind: 'video' }, { starred: false }, { starred: true }] as const)(
  'a search with the filter %j and a condition takes no images',
  (filter) => {
    expect(markOf('rating:4', filter)).toBeNull()
  },
)
