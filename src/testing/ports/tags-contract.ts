import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Clock } from '#server/core/clock.ts'
import type { Records } from '#server/core/record-ports.ts'
import { roundsOf } from '#testing/rounds.ts'
import { addAll, createBoard, everything, namesIn, newImage } from './new-image.ts'

const DAY_MS = 24 * 3_600_000
const bounds = { maxTags: 100 }

const change = (keptMs = 30 * DAY_MS) => ({
  changeId: randomUUID(),
  keptMs,
  ...bounds,
})

const tag = ({ tags }: Records, imageNames: string[], add: string[], remove: string[] = []) =>
  tags.apply(imageNames, { add, remove }, bounds)

const tagsOf = async ({ images }: Records, imageName: string) => (await images.get(imageName))?.tags

const listed = async ({ tags }: Records) =>
  (await tags.list()).map(({ name, count }) => `${name} ${count}`)

const found = async (records: Records, query: string) =>
  (await namesIn(records, { query, kind: 'all' })).toSorted()

/** Tests that every implementation must pass for ratings and for `TagRecords`. */
export const testTags = (open: (clock?: Clock) => Promise<Records>): void => {
  const openThree = async (clock?: Clock) => {
    const records = await open(clock)
    await addAll(records, 'a.png', 'b.png', newImage('c.mp4', { media_type: 'video/mp4' }))
    return records
  }

  test('rates images and videos, and tells what they were rated before', async () => {
    let now = 1_000
    const records = await openThree(() => now)
    const { images, trash } = records
    expect(await images.get('a.png')).toMatchObject({ rating: 0 })
    now = 5_000
    expect(await images.setRating(['a.png', 'c.mp4', 'unknown.png'], 4)).toEqual({
      affected_boards: ['none'],
      rated_images: expect.toSatisfy((names) => names.length === 2),
      previous: [{ rating: 0, image_names: expect.arrayContaining(['a.png', 'c.mp4']) }],
    })
    expect(await images.get('a.png')).toMatchObject({
      ...{ rating: 4, updated_at: '1970-01-01 00:00:05.000' },
    })
    expect(await records.videos.get('c.mp4')).toMatchObject({ rating: 4, tags: [] })

    await images.setRating(['b.png'], 2)
    const again = await images.setRating(['a.png', 'b.png', 'c.mp4'], 4)
    expect(again).toMatchObject({
      rated_images: ['b.png'],
      previous: [{ rating: 2, image_names: ['b.png'] }],
    })
    await trash.trashImages(['a.png'])
    expect(await images.setRating(['a.png'], 1)).toMatchObject({ rated_images: [] })
    await trash.restore({ imageNames: ['a.png'], boardIds: [] })
    expect(await images.get('a.png')).toMatchObject({ rating: 4 })
  })

  test('tags images and videos, and tells what changed', async () => {
    const records = await openThree(() => 7_000)
    const board_id = await createBoard(records, 'Board')
    await records.images.addToBoard(['b.png'], board_id)

    expect(await tag(records, ['a.png', 'b.png', 'no.png'], ['People/Anna', 'keep'])).toEqual({
      affected_boards: expect.arrayContaining(['none', board_id]),
      added: [
        { tag: 'People/Anna', image_names: ['a.png', 'b.png'] },
        { tag: 'keep', image_names: ['a.png', 'b.png'] },
      ],
      removed: [],
    })
    const next = await tag(records, ['b.png', 'c.mp4'], ['KEEP'], ['people / anna', 'none'])
    expect(next).toEqual({
      affected_boards: expect.arrayContaining(['none', board_id]),
      added: [{ tag: 'keep', image_names: ['c.mp4'] }],
      removed: [{ tag: 'People/Anna', image_names: ['b.png'] }],
    })
    expect(await tagsOf(records, 'a.png')).toEqual(['keep', 'People/Anna'])
    expect(await tagsOf(records, 'b.png')).toEqual(['keep'])
    const [first] = await records.images.listByNames(['c.mp4'])
    expect(first?.tags).toEqual(['keep'])
    expect(await records.tags.list()).toEqual([
      { name: 'keep', color: null, count: 3, used_at: 7_000 },
      { name: 'People/Anna', color: null, count: 1, used_at: 7_000 },
    ])
    expect(await tag(records, ['a.png'], ['keep'])).toEqual({
      ...{ affected_boards: [], added: [], removed: [] },
    })
    expect(await tag(records, ['a.png'], ['x'], ['X'])).toMatchObject({ removed: [] })
  })

  test('keeps the first spelling of a tag as long as an image has it', async () => {
    const records = await openThree()
    await tag(records, ['a.png'], ['Kepp'])
    expect(await tag(records, ['b.png'], ['kepp'])).toMatchObject({ added: [{ tag: 'Kepp' }] })
    await tag(records, ['a.png', 'b.png'], [], ['kepp'])
    expect(await tag(records, ['b.png'], ['kepp'])).toMatchObject({ added: [{ tag: 'kepp' }] })
  })

  test('does not merge tags that differ in a sign', async () => {
    const records = await openThree()
    await tag(records, ['a.png'], ['C#', 'C', 'c++', 'C++', 'Café', 'cafe'])
    expect(await tagsOf(records, 'a.png')).toEqual(['C', 'C#', 'C++', 'cafe'])
    await records.tags.update('c#', { newName: 'F#' }, change())
    await tag(records, ['a.png'], [], ['c'])
    expect(await tagsOf(records, 'a.png')).toEqual(['C++', 'cafe', 'F#'])
  })

  test('refuses more tags than the maximum, without a change', async () => {
    const records = await openThree()
    const names = Array.from({ length: 100 }, (_, at) => `t${at}`)
    expect(await tag(records, ['a.png'], [...names, 'more'])).toBe('too_many_tags')
    expect(await tagsOf(records, 'a.png')).toEqual([])
    expect(await tag(records, ['a.png'], names)).toMatchObject({ removed: [] })
    expect(await tag(records, ['a.png'], ['more'])).toBe('too_many_tags')
  })

  test('colors a tag at the maximum, unless its level needs a new tag for it', async () => {
    const records = await openThree()
    const names = Array.from({ length: 99 }, (_, at) => `t${at}`)
    await tag(records, ['a.png'], [...names, 'place/sea'])
    expect(await records.tags.update('place', { color: 'red' }, change())).toBe('too_many_tags')
    expect(await records.tags.update('t1', { color: 'red' }, change())).toMatchObject({ tags: 1 })
    expect(await records.tags.update('t1', { color: null }, change())).toMatchObject({ tags: 1 })
  })

  test('deletes tags without images at the maximum, but none of those in the request', async () => {
    const records = await openThree()
    const names = Array.from({ length: 98 }, (_, at) => `t${at}`)
    await tag(records, ['a.png'], [...names, 'unused', 'again'])
    await tag(records, ['a.png'], [], ['unused', 'again'])
    const added = [
      { tag: 'again', image_names: ['b.png'] },
      { tag: 'new', image_names: ['b.png'] },
    ]
    expect(await tag(records, ['b.png'], ['again', 'new'])).toMatchObject({ added })
    expect(await tag(records, ['b.png'], ['unused'])).toBe('too_many_tags')
  })

  test('keeps ratings and tags in the trash and in copies, and not after a deletion', async () => {
    const records = await openThree()
    const { images, trash } = records
    await images.setRating(['a.png', 'b.png'], 3)
    await tag(records, ['a.png', 'b.png'], ['keep'])
    await images.addCopies([{ image_name: 'copy.png', copy_of: 'a.png' }], 'none')
    expect(await images.get('copy.png')).toMatchObject({ rating: 3, tags: ['keep'] })

    await trash.trashImages(['a.png'])
    expect(await listed(records)).toEqual(['keep 2'])
    expect(await images.get('a.png')).toMatchObject({ rating: 3, tags: ['keep'] })
    await trash.restore({ imageNames: ['a.png'], boardIds: [] })
    expect(await listed(records)).toEqual(['keep 3'])
    await images.remove(['a.png', 'b.png', 'copy.png'])
    expect(await listed(records)).toEqual([])
    await addAll(records, newImage('new.png', { rating: 5, tags: ['Keep', 'keep', 'other'] }))
    expect(await images.get('new.png')).toMatchObject({ rating: 5, tags: ['keep', 'other'] })
  })

  test('renames a tag with its levels, and restores it', async () => {
    const records = await openThree()
    const { tags } = records
    await tag(records, ['a.png'], ['people', 'people/anna', 'peoples'])
    await tag(records, ['b.png'], ['people/anna/smiling'])
    const renamed = await tags.update('People', { newName: 'family/persons' }, change())
    expect(renamed).toMatchObject({ name: 'family/persons', tags: 3, merged: 0 })
    expect(await tagsOf(records, 'a.png')).toEqual([
      ...['family/persons', 'family/persons/anna', 'peoples'],
    ])
    expect(await tagsOf(records, 'b.png')).toEqual(['family/persons/anna/smiling'])
    expect(await found(records, 'tag:persons')).toEqual(['a.png', 'b.png'])
    expect(await found(records, 'tag:people')).toEqual(['a.png'])

    const id = typeof renamed === 'object' ? (renamed?.change_id ?? '') : ''
    expect(await tags.restore(id)).toBe(3)
    expect(await tags.restore(id)).toBeNull()
    expect(await found(records, 'tag=people/anna')).toEqual(['a.png'])
    expect(await found(records, 'tag:persons')).toEqual([])
    // Below itself, and only another spelling.
    await tags.update('people', { newName: 'people/anna' }, change())
    await tags.update('people/anna', { newName: 'PEOPLE/Anna' }, change())
    expect(await listed(records)).toEqual([
      ...['PEOPLE/Anna 1', 'PEOPLE/Anna/anna 1', 'PEOPLE/Anna/anna/smiling 1', 'peoples 1'],
    ])
    expect(await tags.update('unknown', { newName: 'x' }, change())).toBeNull()
    const long = await tags.update('PEOPLE', { newName: 'x'.repeat(95) }, change())
    expect(long).toBe('invalid_tag')
  })

  test('merges tags, and takes them apart again', async () => {
    const records = await openThree()
    const { tags } = records
    await tag(records, ['a.png', 'b.png'], ['cat'])
    await tag(records, ['b.png', 'c.mp4'], ['cats'])
    const merged = await tags.update('cat', { newName: 'Cats' }, change())
    expect(merged).toMatchObject({ name: 'cats', tags: 1, merged: 1 })
    expect(await listed(records)).toEqual(['cats 3'])
    // Undone and done again in between, as by hand.
    await tag(records, ['a.png'], [], ['cats'])
    await tag(records, ['a.png'], ['cats'])

    await tags.restore(typeof merged === 'object' ? (merged?.change_id ?? '') : '')
    expect(await listed(records)).toEqual(['cat 2', 'cats 2'])
    expect(await found(records, 'tag=cat')).toEqual(['a.png', 'b.png'])
    expect(await found(records, 'tag=cats')).toEqual(['b.png', 'c.mp4'])
  })

  test('takes a new name back although the tag without images made room for others', async () => {
    const records = await openThree()
    const { tags } = records
    await tag(records, ['a.png'], ['old'])
    const renamed = await tags.update('old', { newName: 'new' }, change())
    await tag(records, ['a.png'], [], ['new'])
    const others = Array.from({ length: 99 }, (_, at) => `t${at}`)
    await tag(records, ['b.png'], [...others, 'old'])

    await tags.restore(typeof renamed === 'object' ? (renamed?.change_id ?? '') : '')
    expect(await found(records, 'tag=old')).toEqual(['b.png'])
  })

  test('deletes a tag with its levels, and restores it beside a new one', async () => {
    const records = await openThree()
    const { tags } = records
    await tag(records, ['a.png'], ['place/sea', 'place'])
    await tags.update('place', { color: 'teal' }, change())
    const removed = await tags.remove('place', change())
    expect(removed).toMatchObject({ name: 'place', tags: 2 })
    expect([await listed(records), await tagsOf(records, 'a.png')]).toEqual([[], []])
    expect(await found(records, 'has:tag')).toEqual([])
    expect(await tags.remove('place', change())).toBeNull()

    await tag(records, ['b.png'], ['Place'])
    expect(await tags.restore(removed?.change_id ?? '')).toBe(2)
    expect(await tags.list()).toMatchObject([
      { name: 'place', color: 'teal', count: 2 },
      { name: 'place/sea', color: null, count: 1 },
    ])
    expect(await found(records, 'has:tag')).toEqual(['a.png', 'b.png'])
  })

  test('colors tags and levels, and lists colored ones without images', async () => {
    const records = await openThree()
    const { tags } = records
    await tag(records, ['a.png'], ['place/sea'])
    const colored = await tags.update('place', { color: 'blue' }, change())
    expect(await tags.list()).toMatchObject([
      { name: 'place', color: 'blue', count: 0 },
      { name: 'place/sea', color: null },
    ])
    await tags.restore(typeof colored === 'object' ? (colored?.change_id ?? '') : '')
    expect(await listed(records)).toEqual(['place/sea 1'])
    expect(await tags.update('none', { color: 'blue' }, change())).toBeNull()
  })

  test('forgets deleted tags after some time', async () => {
    let now = 0
    const records = await openThree(() => now)
    const { tags } = records
    await tag(records, ['a.png'], ['old', 'new'])
    const old = await tags.remove('old', change())
    now = 31 * DAY_MS
    const next = await tags.remove('new', change())
    expect(await tags.restore(old?.change_id ?? '')).toBeNull()
    expect(await tags.restore(next?.change_id ?? '')).toBe(1)
    expect(await tagsOf(records, 'a.png')).toEqual(['new'])
  })

  test('follows ratings in order and conditions', async () => {
    const records = await openThree()
    const byRating = () => namesIn(records, { orderBy: 'rating', kind: 'all' })
    await records.images.setRating(['a.png'], 2)
    await records.images.setRating(['b.png'], 5)
    expect(await byRating()).toEqual(['b.png', 'a.png', 'c.mp4'])
    expect(await found(records, 'rating>=2')).toEqual(['a.png', 'b.png'])
    await records.images.setRating(['c.mp4'], 3)
    await records.images.setRating(['b.png'], 0)
    expect(await byRating()).toEqual(['c.mp4', 'a.png', 'b.png'])
    expect(await found(records, 'rating:0')).toEqual(['b.png'])
    expect(await found(records, '-rating<3')).toEqual(['c.mp4'])
    await records.trash.trashImages(['c.mp4'])
    await records.images.setRating(['b.png'], 4)
    await records.trash.restore({ imageNames: ['c.mp4'], boardIds: [] })
    expect(await byRating()).toEqual(['b.png', 'c.mp4', 'a.png'])
  })

  test('counts ratings and tags', async () => {
    const records = await openThree()
    await records.images.setRating(['b.png'], 5)
    await tag(records, ['a.png', 'b.png'], ['people/anna'])
    await tag(records, ['b.png'], ['sea view', '50%'])
    const counted = async (query: string, text?: string) => {
      const options = { text, limit: 10, timeZone: 'UTC', keys: ['rating', 'tag'] as const }
      const view = { ...everything, kind: 'all', query } as const
      const { facets } = await records.images.facets(view, options)
      return facets.map(({ values }) => values.map(({ value, count }) => `${value} ${count}`))
    }
    expect(await counted('')).toEqual([
      ['5 1', '0 2'],
      ['people/anna 2', '50% 1', 'sea view 1'],
    ])
    expect(await counted('rating:5 tag:anna')).toEqual([
      ['5 1', '0 1'],
      ['50% 1', 'people/anna 1', 'sea view 1'],
    ])
    expect((await counted('', 'vie'))[1]).toEqual(['sea view 1'])
    expect((await counted('', 'eople'))[1]).toEqual(['people/anna 2'])
    expect((await counted('', 'people/an'))[1]).toEqual(['people/anna 2'])
    expect((await counted('', '%'))[1]).toEqual(['50% 1'])
    expect((await counted('', '-'))[1]).toEqual([])
  })

  test('counts the images of a level of tags once, under the search', async () => {
    const records = await openThree()
    const { images, tags, trash } = records
    await tag(records, ['a.png'], ['people/anna', 'people/bob', 'People/Bob/smiling', 'sea'])
    await tag(records, ['b.png', 'c.mp4'], ['people'])
    await tag(records, ['c.mp4'], ['place/beach', 'peoples'])
    const counted = async (query = '') => {
      const options = { limit: 10, timeZone: 'UTC', keys: ['tag_level'] as const }
      const view = { ...everything, kind: 'all', query } as const
      const { facets } = await images.facets(view, options)
      return facets[0]?.values.map(({ value, count }) => `${value} ${count}`)
    }
    const before = [
      ...['people 3', 'People/Bob/smiling 1', 'people/anna 1', 'people/bob 1'],
      ...['peoples 1', 'place 1', 'place/beach 1', 'sea 1'],
    ]
    expect(await counted()).toEqual(before)
    // A condition on tags leaves their alternatives.
    expect(await counted('tag=sea')).toEqual(before)
    await images.setRating(['a.png', 'b.png'], 5)
    expect((await counted('rating:5'))?.slice(0, 2)).toEqual(['people 2', 'People/Bob/smiling 1'])

    await tag(records, ['a.png'], [], ['people/anna', 'people/bob'])
    await trash.trashImages(['b.png'])
    expect((await counted())?.[0]).toBe('people 2')
    await tags.remove('people/bob', change())
    expect((await counted())?.[0]).toBe('people 1')
  })

  test.each([
    ['tag:people', ['a.png', 'b.png']],
    ['tag:peo', ['a.png', 'b.png']],
    ['tag=people', ['b.png']],
    ['tag=PEOPLE/Anna', ['a.png']],
    ['tag=people/', ['a.png', 'b.png']],
    ['tag="People/ Anna/"', ['a.png']],
    ['tag=peopl/', []],
    ['tag=sea/', []],
    ['tag:people/anna', ['a.png']],
    ['tag:"sea view"', ['b.png']],
    ['tag:vi', ['b.png']],
    ['tag:view -tag:anna', ['b.png']],
    ['tag:★', ['a.png']],
    ['tag:eople', []],
    ['tag=c', ['c.mp4']],
    ['tag=c#', ['b.png']],
    ['tag=C++', ['a.png']],
    ['tag:c#', ['b.png']],
    ['tag:c++', ['a.png']],
    ['tag:c', ['a.png', 'b.png', 'c.mp4']],
    ['tag=cpp', []],
    ['tag="cafe-bar"', ['b.png']],
    ['tag=cafe', []],
    ['tag:bar', ['b.png']],
    ['tag:"café ba"', ['b.png']],
    ['tag=はは', ['a.png']],
    ['has:tag -tag:people', ['c.mp4']],
    ['-has:tag', []],
  ])('finds with %s the items %j', async (query, expected) => {
    const records = await openThree()
    await tag(records, ['a.png'], ['People/Anna', '★', 'C++', 'はは'])
    await tag(records, ['b.png'], ['people', 'sea view', 'C#', 'Café-Bar'])
    await tag(records, ['c.mp4'], ['C', 'ぱぱ'])
    expect(await found(records, query)).toEqual(expected)
  })

  test('gives the state before when random changes are undone', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 4 }),
        fc.array(step, { minLength: 1, maxLength: 8 }),
        async (before, steps) => {
          const records = await openThree()
          for (const each of before) await apply(records, each)
          const states = [await stateOf(records)]
          const undos: (() => Promise<unknown>)[] = []
          for (const each of steps) {
            undos.push(await apply(records, each))
            states.push(await stateOf(records))
          }
          for (const undo of undos.toReversed()) {
            states.pop()
            await undo()
            expect(await stateOf(records)).toEqual(states.at(-1))
          }
        },
      ),
      // Each opens a library, which takes most of a second on PostgreSQL.
      { numRuns: roundsOf({ usual: 15, all: 40 }) },
    )
  })
}

const names = ['a', 'a/b', 'b', 'A/B/c', 'c', 'b/a', 'a#', 'a/b+'] as const
const anyName = fc.constantFrom(...names)
const images = fc.subarray(['a.png', 'b.png', 'c.mp4'], { minLength: 1 })

const step = fc.oneof(
  fc.record({ rate: images, rating: fc.integer({ min: 0, max: 5 }) }),
  fc.record({ tag: images, add: fc.subarray([...names]), remove: fc.subarray([...names]) }),
  fc.record({ rename: anyName, newName: anyName }),
  fc.record({ color: anyName, to: fc.constantFrom('red', 'blue', null) }),
  fc.record({ delete: anyName }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** Applies a step, and returns its undo. */
const apply = async (records: Records, step: Step): Promise<() => Promise<unknown>> => {
  const { tags } = records
  if ('rate' in step) {
    const { previous } = await records.images.setRating(step.rate, step.rating)
    return async () => {
      for (const { rating, image_names } of previous)
        await records.images.setRating(image_names, rating)
    }
  }
  if ('tag' in step) {
    const result = await tag(records, step.tag, step.add, step.remove)
    if (result === 'too_many_tags') throw new Error(result)
    return async () => {
      for (const each of result.added) await tag(records, each.image_names, [], [each.tag])
      for (const each of result.removed) await tag(records, each.image_names, [each.tag])
    }
  }
  const result =
    'rename' in step
      ? await tags.update(step.rename, { newName: step.newName }, change())
      : 'color' in step
        ? await tags.update(step.color, { color: step.to }, change())
        : await tags.remove(step.delete, change())
  if (typeof result === 'string') throw new Error(result)
  return async () => result && expect(await tags.restore(result.change_id)).not.toBeNull()
}

const stateOf = async (records: Records) => {
  const found = await records.images.listByNames(['a.png', 'b.png', 'c.mp4'])
  const tags = (await records.tags.list()).map(({ name, color, count }) => [name, color, count])
  const byTag = await namesIn(records, { query: 'tag=a/b', kind: 'all' })
  return { images: found.map(({ rating, tags }) => [rating, tags]), tags, byTag }
}
