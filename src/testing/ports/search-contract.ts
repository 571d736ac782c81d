import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NormalMetadata } from '#contract/metadata.ts'
import type { Records } from '#server/core/record-ports.ts'
import { roundsOf } from '#testing/rounds.ts'
import {
  addAll,
  createBoard,
  everything,
  namesIn,
  newImage,
  normalOf,
  prompted,
} from './new-image.ts'

/** The images of `openWithPrompts`. */
const ALL = ['boarded.png', 'named.png', 'cjk.png', 'cyrillic.png', 'umlaut.png', 'castle.png']

/** A last word of one or two letters, which may be the beginning of a longer word. */
const SHORT_END = /(?:^|[^\p{L}\p{N}])[\p{L}\p{N}]{1,2}\p{Mn}*$/u

/** Tests that every implementation of `ImageRecords` must pass for `query` and `searchTerm`. */
export const testSearch = (open: () => Promise<Records>): void => {
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
    ['ca', ALL],
    ['castle fo', ['castle.png']],
    ['ca ', ['castle.png']],
    ['stle', ['castle.png']],
    ['oliday', ['named.png']],
    ['stle forest', []],
    ['100%', ['castle.png']],
    ['holiday_i', ['named.png']],
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
    ['%', ALL],
    ['"', ALL],
    ['   ', ALL],
  ])('finds with the words %s the images %j', async (query, expected) => {
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
  ])('finds the term %s as a substring of the metadata of %j', async (searchTerm, expected) => {
    expect(await namesIn(await openWithPrompts(), { searchTerm })).toEqual(expected)
  })

  test('finds a term in created_at', async () => {
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

  test('sorts by how well images match, in pages', async () => {
    const records = await open()
    const elsewhere = (fields: Partial<NormalMetadata>) => ({
      metadata: { normal: normalOf({ prompt: 'a field', ...fields }) },
    })
    await addAll(
      records,
      newImage('negative.png', elsewhere({ negative_prompt: 'castle' })),
      newImage('best.png', prompted('castle')),
      newImage('long.png', prompted(`a castle ${'among many other things '.repeat(20)}`)),
      newImage('model.png', elsewhere({ model: 'castle' })),
    )
    const view = { ...everything, orderBy: 'relevance', query: 'castle' } as const

    const [best, ...others] = await namesIn(records, view)
    expect(best).toBe('best.png')
    expect(others.at(-1)).toBe('negative.png')
    expect(await namesIn(records, { ...view, orderDir: 'ASC' })).toEqual(
      [best, ...others].toReversed(),
    )
    const page = await records.images.page(view, { after: 'best.png', limit: 2 })
    expect(page?.items.map(({ image_name }) => image_name)).toEqual(others.slice(0, 2))
    expect(await records.images.position(view, 'negative.png')).toEqual({ position: 3, total: 4 })
    await records.images.setStarred(['negative.png'], true)
    expect((await namesIn(records, { ...view, starredFirst: true }))[0]).toBe('negative.png')
    const unsearched = { ...view, query: 'is:starred OR has:prompt' }
    expect(await namesIn(records, unsearched)).toEqual([
      ...['model.png', 'long.png', 'best.png', 'negative.png'],
    ])
    await addAll(records, newImage('none.png'))
    expect((await namesIn(records, { orderBy: 'relevance' }))[0]).toBe('none.png')
  })

  test('restricts a search to its view and counts the matches', async () => {
    const records = await openWithPrompts()
    await records.images.setStarred(['cjk.png'], true)
    const view = { ...everything, starredFirst: true, query: '東京' }

    expect(await records.images.names(view)).toMatchObject({ starred_count: 1, total_count: 2 })
    expect(await namesIn(records, view)).toEqual(['cjk.png', 'boarded.png'])
    expect(await namesIn(records, { ...view, boardId: 'none' })).toEqual(['cjk.png'])
    expect(await records.images.position(view, 'boarded.png')).toEqual({ position: 1, total: 2 })
    expect((await records.images.page(view, { after: 'cjk.png', limit: 9 }))?.total).toBe(2)
  })

  test('requires both words and a term to match', async () => {
    const records = await openWithPrompts()

    expect(await namesIn(records, { query: '東京', searchTerm: 'neon' })).toEqual(['cjk.png'])
    expect(await namesIn(records, { query: 'castle', searchTerm: 'neon' })).toEqual([])
  })

  test('finds parameters in the spelling of users', async () => {
    const records = await open()
    const normal = {
      ...{ generator: 'invokeai' as const, prompt: 'a fox', negative_prompt: null, raw: {} },
      ...{ model: 'Juggernaut XL v9', seed: 7952, steps: 30, cfg_scale: 6.5 },
      ...{ sampler: 'dpmpp_2m', scheduler: 'karras', loras: [], width: 1344, height: 768 },
      ...{ camera: null, lens: null, exposure: null },
    } as const
    const file_name = 'ComfyUI_07952_.png'
    await addAll(records, newImage('a.png', { file_name, metadata: { normal } }), 'other.png')

    for (const typed of [
      ...['ComfyUI_07952', 'dpm++', 'dpm++ 2m', '1344x768', 'cfg 6.5', 'Juggernaut XL v9'],
      ...['steps 30', 'seed 7952', 'model juggernaut', 'fox 1344x768 cfg 6.5', '0795'],
    ])
      for (const prefix of prefixesOf(typed))
        expect([prefix, await namesIn(records, { query: prefix })]).toEqual([
          prefix,
          expect.arrayContaining(['a.png']),
        ])
    expect(await namesIn(records, { query: 'cfg 7.5 ' })).toEqual([])
    expect(await namesIn(records, { query: '1344x1024 ' })).toEqual([])
  })

  test.each(['\u0300', '\u1fcd', 'sea \u0300'])(
    'searches for the diacritic in “%s”',
    async (text) => {
      const records = await openWithPrompts()
      await addAll(records, newImage('accent.png', prompted(text)))

      expect(await namesIn(records, { query: text })).toContain('accent.png')
    },
  )

  test('finds the image after every letter while its text is typed', async () => {
    const records = await openWithPrompts()
    const word = fc.oneof(
      fc.constantFrom(...'castle by a "sea" v1.5 1344x768 dpm++ cfg 東京 -'.split(' ')),
      // A word after "-" would exclude the image.
      fc.string({ unit: 'grapheme', maxLength: 6 }).filter((part) => !/-[^\s)-]/.test(part)),
    )
    const text = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '))
    let added = 0

    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), async (typed, isName) => {
        added += 1
        const name = `typed ${added}.png`
        const own = isName ? { file_name: typed } : prompted(typed)
        await addAll(records, newImage(name, own))
        for (const prefix of prefixesOf(typed)) {
          const found = await namesIn(records, { query: prefix })
          expect([prefix, found.length]).not.toEqual([prefix, 0])
          if (!SHORT_END.test(prefix))
            expect([prefix, found]).toEqual([prefix, expect.arrayContaining([name])])
        }
      }),
      { numRuns: roundsOf({ usual: 8, all: 25 }) },
    )
  })

  test('reflects deleted and new images and renamed boards immediately', async () => {
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

  test('returns the same pages for frequent words as for rare ones', async () => {
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
    const newestFirst = images.map(({ image_name }) => image_name).toReversed()

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
    expect(await namesIn(records, view)).toEqual(newestFirst)
    const oldestFirst = newestFirst.toReversed()
    expect(await namesIn(records, { orderDir: 'ASC' })).toEqual(oldestFirst)
    await records.images.setStarred(['1.png'], true)
    const starredFirst = ['1.png', ...oldestFirst.filter((name) => name !== '1.png')]
    expect(await namesIn(records, { orderDir: 'ASC', starredFirst: true })).toEqual(starredFirst)
    expect((await records.images.names({ ...view, isIntermediate: false })).total_count).toBe(
      11_999,
    )
  })

  test('returns a result for any input', async () => {
    const records = await openWithPrompts()
    const typed = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc
        .array(fc.constantFrom(...'"*^():-+{%_\\\0a東 ', 'AND', 'OR', 'NOT', 'NEAR(', 'sea'))
        .map((parts) => parts.join('')),
    )

    await fc.assert(
      fc.asyncProperty(typed, typed, async (query, searchTerm) => {
        expect((await namesIn(records, { query })).length).toBeLessThanOrEqual(6)
        expect((await namesIn(records, { searchTerm })).length).toBeLessThanOrEqual(6)
      }),
      { numRuns: roundsOf({ usual: 40, all: 150 }) },
    )
  })
}

/** Returns the text as typed so far after each letter. */
const prefixesOf = (text: string): string[] => {
  const letters = [...text]
  return letters.map((_, at) => letters.slice(0, at + 1).join(''))
}
