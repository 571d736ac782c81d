import { expect, test } from 'vitest'
import { connect } from '#client/connect.ts'
import { groupOf, partsOf, sendDuplicates, targetOf } from './duplicate-requests.ts'

const group = (id: string, ...names: readonly string[]) => ({ id, names })

test('reads the group of a target', () => {
  const fox = group('1', 'fox.png', 'fox small.png')
  expect(groupOf(targetOf(fox))).toEqual(fox)
  const dismissed = group('', 'a.png', 'b.png')
  expect(groupOf(targetOf(dismissed))).toEqual(dismissed)
})

test('divides groups by the number of their names, a large one alone', () => {
  const groups = [group('1', 'a', 'b'), group('2', 'c', 'd', 'e', 'f'), group('3', 'g', 'h')]
  const parts = partsOf(groups, 3)
  expect(parts.map((part) => part.map(({ id }) => id))).toEqual([['1'], ['2'], ['3']])
  expect(partsOf(groups, 6).map((part) => part.length)).toEqual([2, 1])
})

test('sends no image twice in one request', () => {
  const groups = [group('1', 'a', 'b'), group('2', 'b', 'c'), group('3', 'd', 'e')]
  expect(partsOf(groups).map((part) => part.map(({ id }) => id))).toEqual([['1'], ['2', '3']])
})

const resolved = { affected_boards: [], starred_images: [], previous_ratings: [], added_tags: [] }

test.each([
  ['duplicates_resolved', Response.json({ ...resolved, trashed_images: ['b'], failed_images: [] })],
  ['duplicates_dismissed', Response.json(null)],
] as const)(
  '%s: the parts after a refused one are sent, and only that is refused',
  async (aspect, done) => {
    // An image in two of them makes a part of each.
    const groups = [group('1', 'a', 'b'), group('2', 'a', 'c'), group('3', 'a', 'd')]
    const answers = [done.clone(), new Response('{}', { status: 500 }), done.clone()]
    const client = connect({
      baseUrl: 'http://gallery.test',
      fetch: async () => answers.shift() ?? Response.error(),
    })
    const trashed: string[] = []

    const refusals = await sendDuplicates(
      client,
      { aspect, wanted: true, targets: groups.map(targetOf) },
      { onBoardImages: (images) => void trashed.push(...images.trashed), onRestored: () => {} },
    )

    expect([...refusals.keys()].map((target) => groupOf(target).id)).toEqual(['2'])
    expect(trashed).toEqual(aspect === 'duplicates_resolved' ? ['b', 'b'] : [])
  },
)
