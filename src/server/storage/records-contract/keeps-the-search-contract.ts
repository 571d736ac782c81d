import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Records } from '#server/core/record-ports.ts'
import { addAll, createBoard, everything, namesIn, newImage, prompted } from './new-image.ts'

/** What every `ImageRecords` does with `query` and `searchTerm`. */
export const keepsTheSearchContract = (open: () => Promise<Records>): void => {
  const openWithPrompts = async () => {
    const records = await open()
    const board_id = await createBoard(records, 'Clients/Ácme 東京')
    await addAll(
      records,
      newImage('castle.png', prompted('A castle by the sea, 100% detailed')),
      newImage('umlaut.png', prompted('Schöner Märchenwald')),
      newImage('cyrillic.png', prompted('Старый ЗАМОК')),
      newImage('cjk.png', prompted('東京の夜景, neon')),
      newImage('named.png', { file_name: 'holiday_in-Rome.jpg' }),
      newImage('boarded.png', {
        board_id,
        metadata: { invokeai: '{"model":{"name":"flux-dev"}}' },
      }),
    )
    return records
  }

  test.each([
    ['castle', ['castle.png']],
    ['CASTLE sea', ['castle.png']],
    ['sea castle', ['castle.png']],
    ['castle forest', []],
    ['cas', ['castle.png']],
    ['ca', []],
    ['"castle by the"', ['castle.png']],
    ['"by castle"', []],
    ['"castle by', ['castle.png']],
    ['schoner', ['umlaut.png']],
    ['MÄRCHENWALD', ['umlaut.png']],
    ['замок', ['cyrillic.png']],
    ['夜景', ['cjk.png']],
    ['京の', ['cjk.png']],
    ['景夜', []],
    ['rome', ['named.png']],
    ['holiday_in', ['named.png']],
    ['flux-dev', ['boarded.png']],
    ['acme', ['boarded.png']],
    ['acme flux', ['boarded.png']],
    ['acme castle', []],
    ['東京', ['boarded.png', 'cjk.png']],
    ['%', []],
    ['"', []],
    ['   ', ['boarded.png', 'named.png', 'cjk.png', 'cyrillic.png', 'umlaut.png', 'castle.png']],
  ])('the words %s find %j', async (query, expected) => {
    expect(await namesIn(await openWithPrompts(), { query })).toEqual(expected)
  })

  test.each([
    ['castle by the SEA', ['castle.png']],
    ['c_stle', ['castle.png']],
    ['castle%detailed', ['castle.png']],
    ['stle', ['castle.png']],
    ['named', []],
    ['holiday', []],
    ['"positive_prompt"', ['cjk.png', 'cyrillic.png', 'umlaut.png', 'castle.png']],
  ])('the term %s is a substring of the metadata of %j', async (searchTerm, expected) => {
    expect(await namesIn(await openWithPrompts(), { searchTerm })).toEqual(expected)
  })

  test('a term is found in created_at as well', async () => {
    const records = await open()
    const noon = Date.UTC(2026, 4, 3, 12)
    await addAll(
      records,
      newImage('a.png', { created_at: noon }),
      newImage('b.png', { created_at: 0 }),
    )

    expect(await namesIn(records, { searchTerm: '2026-05-03 12' })).toEqual(['a.png'])
    expect(await namesIn(records, { searchTerm: '05-0_' })).toEqual(['a.png'])
    expect(await namesIn(records, { searchTerm: '1970' })).toEqual(['b.png'])
  })

  test('a search stays within its view and counts what it finds', async () => {
    const records = await openWithPrompts()
    await records.images.setStarred(['cjk.png'], true)
    const view = { ...everything, starredFirst: true, query: '東京' }

    expect(await records.images.names(view)).toEqual({
      image_names: ['cjk.png', 'boarded.png'],
      starred_count: 1,
      total_count: 2,
    })
    expect(await namesIn(records, { ...view, boardId: 'none' })).toEqual(['cjk.png'])
    expect(await records.images.position(view, 'boarded.png')).toEqual({ position: 1, total: 2 })
    expect((await records.images.page(view, { after: 'cjk.png', limit: 9 }))?.total).toBe(2)
  })

  test('words and a term must both match', async () => {
    const records = await openWithPrompts()

    expect(await namesIn(records, { query: '東京', searchTerm: 'neon' })).toEqual(['cjk.png'])
    expect(await namesIn(records, { query: 'castle', searchTerm: 'neon' })).toEqual([])
  })

  test('a search sees a change at once: an image gone, one come, a board renamed', async () => {
    const records = await openWithPrompts()
    const found = () => namesIn(records, { query: 'castle' })
    await found()

    await records.images.remove(['castle.png'])
    expect(await found()).toEqual([])
    await addAll(records, newImage('later.png', prompted('castle')))
    expect(await found()).toEqual(['later.png'])
    const { items } = await records.boards.list({
      orderBy: 'created_at',
      direction: 'ASC',
      includeArchived: false,
    })
    await records.boards.update(items[0]?.board_id ?? '', { board_name: 'Castles' })
    expect(await found()).toEqual(['later.png', 'boarded.png'])
  })

  test('frequent words give the same pages as rare ones', async () => {
    const records = await open()
    const images = Array.from({ length: 12_000 }, (_, at) =>
      newImage(`${at}.png`, {
        ...prompted(at % 2 === 0 ? 'even castle' : 'odd castle'),
        is_intermediate: at === 11_999,
        file_size: 12_000 - at,
        created_at: Date.UTC(2026, 0, 1) + at * 60_000,
      }),
    )
    await records.images.addMany(images)
    const view = { ...everything, query: 'castle' }

    const page = await records.images.page(view, { offset: 6000, limit: 2 })
    expect(page?.items.map((image) => image.image_name)).toEqual(['5999.png', '5998.png'])
    expect(page?.total).toBe(12_000)
    const bySize = { ...view, orderBy: 'size' } as const
    const largest = await records.images.page(bySize, { offset: 6000, limit: 2 })
    expect(largest?.items.map((image) => image.image_name)).toEqual(['6000.png', '6001.png'])
    const smaller = await records.images.page(bySize, { after: '6001.png', limit: 1 })
    expect(smaller?.items.map((image) => image.image_name)).toEqual(['6002.png'])
    const { days } = await records.images.days({ ...view, orderBy: 'created_at' }, 'UTC')
    expect(days.map(({ count }) => count)).toEqual([480, ...Array(8).fill(1440)])
    expect((await records.images.names({ ...view, query: 'castle even' })).total_count).toBe(6000)
    expect((await records.images.names({ ...view, isIntermediate: false })).total_count).toBe(
      11_999,
    )
  })

  test('whatever is typed, a search answers', async () => {
    const records = await openWithPrompts()
    const typed = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc
        .array(
          fc.constantFrom(
            '"',
            '*',
            '^',
            '(',
            ')',
            'AND',
            'OR',
            'NOT',
            'NEAR(',
            ':',
            '-',
            '+',
            '{',
            '%',
            '_',
            '\\',
            '\0',
            'a',
            'sea',
            '東',
            ' ',
          ),
        )
        .map((parts) => parts.join('')),
    )

    await fc.assert(
      fc.asyncProperty(typed, typed, async (query, searchTerm) => {
        expect((await namesIn(records, { query })).length).toBeLessThanOrEqual(6)
        expect((await namesIn(records, { searchTerm })).length).toBeLessThanOrEqual(6)
      }),
      { numRuns: 150 },
    )
  })
}
