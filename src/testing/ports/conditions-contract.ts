import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ImageOrder } from '#contract/image.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import type { FacetKey } from '#contract/search/facets.ts'
import { insightKeys } from '#contract/search/insights.ts'
import { nameTokens } from '#contract/search/names.ts'
import { printSearch, type SearchTerm } from '#contract/search/search.ts'
import type {
  EmbeddedMetadata,
  FacetOptions,
  NewImage,
  View,
} from '#server/core/images/image-ports.ts'
import type { Records } from '#server/core/record-ports.ts'
import { READER_VERSION } from '#server/storage/metadata/reader-version.ts'
import { roundsOf } from '#testing/rounds.ts'
import { addAll, createBoard, everything, namesIn, newImage, normalOf } from './new-image.ts'

const made = (fields: Partial<NormalMetadata>) => ({ metadata: { normal: normalOf(fields) } })

const nothing: EmbeddedMetadata = { invokeai: null, normal: null, workflow: null, graph: null }

/** Tests that every implementation of `ImageRecords` must pass for conditions in `query`, for `facets` and for `insights`. */
export const testConditions = (open: () => Promise<Records>): void => {
  const openVaried = async () => {
    const records = await open()
    const clients = await createBoard(records, 'Clients/Acme')
    const best = await createBoard(records, 'Best of')
    await addAll(
      records,
      newImage('flux.png', {
        ...made({
          ...{ generator: 'comfyui', prompt: 'a castle', negative_prompt: 'blurry neon' },
          ...{ model: 'flux/flux1-dev.safetensors', seed: '18446744073709551615', steps: 20 },
          ...{ cfg_scale: 6.5, sampler: 'euler_ancestral', scheduler: 'normal' },
          loras: [{ name: 'Film Grain.safetensors', weight: 1 }],
        }),
        ...{ width: 1024, height: 1024, board_id: clients, file_size: 6_000_000 },
        ...{ file_name: 'IMG_0001.png', taken_at: Date.UTC(2026, 4, 31, 22, 30) },
      }),
      newImage('flux-again.jpg', {
        ...made({
          ...{ generator: 'a1111', prompt: 'a castle, neon', model: 'FLUX1 Dev [0123abcd]' },
          ...{ seed: 1234, steps: 30, cfg_scale: 7, sampler: 'Euler a' },
          loras: [
            { name: 'film_grain', weight: 0.5 },
            { name: 'detail', weight: null },
          ],
        }),
        ...{ width: 832, height: 1216, media_type: 'image/jpeg', board_id: best, starred: true },
        taken_at: Date.UTC(2026, 5, 15),
      }),
      newImage('invokeai.png', {
        metadata: {
          invokeai: JSON.stringify({
            ...{ positive_prompt: 'a forest', model: { name: 'Dream Shaper XL' }, steps: 25 },
            ...{ cfg_scale: 7.5, scheduler: 'dpmpp_2m_k', seed: 1234 },
          }),
          workflow: '{}',
        },
        ...{ width: 1216, height: 832 },
        created_at: Date.UTC(2020, 0, 1),
      }),
      newImage('photo.jpg', {
        ...made({ generator: 'camera', camera: 'SONY ILCE-7M3', lens: 'FE 35mm F1.8' }),
        ...{ media_type: 'image/jpeg', width: 6000, height: 4000, is_animated: true },
        taken_at: Date.UTC(1969, 6, 20),
      }),
      newImage('clip.mp4', {
        media_type: 'video/mp4',
        video: { duration_ms: 5_500, frame_rate: 24_000, codec: 'h264', has_sound: true },
      }),
    )
    return { records, clients, best }
  }
  const found = async (records: Records, query: string) =>
    (await namesIn(records, { query, kind: 'all' })).toSorted()

  test.each([
    ['model:flux', ['flux-again.jpg', 'flux.png']],
    ['model:dev', ['flux-again.jpg', 'flux.png']],
    ['model="flux1-dev"', ['flux-again.jpg', 'flux.png']],
    ['model=flux', []],
    ['model:"dream shaper"', ['invokeai.png']],
    ['-model:flux', ['clip.mp4', 'invokeai.png', 'photo.jpg']],
    ['model:flux OR model:dream', ['flux-again.jpg', 'flux.png', 'invokeai.png']],
    ['lora:film', ['flux-again.jpg', 'flux.png']],
    ['lora:detail', ['flux-again.jpg']],
    ['lora:none', []],
    ['sampler:"Euler a"', ['flux-again.jpg', 'flux.png']],
    ['sampler:euler', ['flux-again.jpg', 'flux.png']],
    ['sampler:dpm++', ['invokeai.png']],
    ['scheduler:Karras', ['invokeai.png']],
    ['generator:comfyui', ['flux.png']],
    ['generator:"stable diffusion"', ['flux-again.jpg']],
    ['steps>20', ['flux-again.jpg', 'invokeai.png']],
    ['steps>=20 steps<30', ['flux.png', 'invokeai.png']],
    ['cfg:6.5..7', ['flux-again.jpg', 'flux.png']],
    ['cfg=7.5', ['invokeai.png']],
    ['seed:1234', ['flux-again.jpg', 'invokeai.png']],
    ['seed:18446744073709551615', ['flux.png']],
    ['seed:18446744073709551614', []],
    ['size>=1216', ['flux-again.jpg', 'invokeai.png', 'photo.jpg']],
    ['size:1024x1024', ['flux.png']],
    ['width:832', ['flux-again.jpg']],
    ['shape:portrait', ['flux-again.jpg']],
    ['shape:square', ['flux.png']],
    ['type:jpeg', ['flux-again.jpg', 'photo.jpg']],
    ['type:mp4', ['clip.mp4']],
    ['bytes>5mb', ['flux.png']],
    ['is:starred', ['flux-again.jpg']],
    ['is:animated', ['photo.jpg']],
    ['kind:video', ['clip.mp4']],
    ['kind:image model:flux', ['flux-again.jpg', 'flux.png']],
    ['duration>5 has:sound', ['clip.mp4']],
    ['duration<5', []],
    ['has:workflow', ['invokeai.png']],
    ['has:prompt', ['flux-again.jpg', 'flux.png', 'invokeai.png']],
    ['has:model -has:lora', ['invokeai.png']],
    ['has:seed', ['flux-again.jpg', 'flux.png', 'invokeai.png']],
    ['has:camera', ['photo.jpg']],
    ['has:board', ['flux-again.jpg', 'flux.png']],
    ['camera:sony lens:35mm', ['photo.jpg']],
    ['board:best', ['flux-again.jpg']],
    ['board="Best of"', ['flux-again.jpg']],
    ['board=best', []],
    ['group:Clients', ['flux.png']],
    ['group:acme', []],
    ['prompt:castle', ['flux-again.jpg', 'flux.png']],
    ['prompt:neon', ['flux-again.jpg']],
    ['negative:neon', ['flux.png']],
    ['negative:"blurry neon"', ['flux.png']],
    ['name:IMG_', ['flux.png']],
    ['on:2026-05-31', ['flux.png']],
    ['after:2026-05 before:2026-06', ['flux.png']],
    ['date:1969', ['photo.jpg']],
    ['added:2020', ['invokeai.png']],
    ['castle -neon', []],
    ['castle -prompt:neon', ['flux.png']],
    ['castle (shape:square OR type:jpg)', ['flux-again.jpg', 'flux.png']],
    ['cast shape:square', ['flux.png']],
    ['ca shape:square', ['flux.png']],
    ['astle shape:square', ['flux.png']],
    ['castle steps>x', ['flux-again.jpg', 'flux.png']],
    ['re:zero', []],
    ['(forest OR "a castle") -(model:flux steps>20)', ['flux.png', 'invokeai.png']],
  ])('finds with %s the items %j', async (query, expected) => {
    const { records } = await openVaried()

    expect(await found(records, query)).toEqual(expected)
  })

  test('follows stars, boards, the trash, deletions and new images', async () => {
    const { records, best } = await openVaried()
    const { images, trash } = records
    const each = async (...queries: string[]) => {
      const names: string[][] = []
      for (const query of queries) names.push(await found(records, query))
      return names
    }
    const queries = ['-is:starred model:flux', 'board:best', 'lora:film', 'seed:1234', 'steps>20']
    expect(await each(...queries)).toEqual([
      ['flux.png'],
      ['flux-again.jpg'],
      ['flux-again.jpg', 'flux.png'],
      ['flux-again.jpg', 'invokeai.png'],
      ['flux-again.jpg', 'invokeai.png'],
    ])

    await images.setStarred(['flux-again.jpg'], false)
    await images.addToBoard(['flux.png'], best)
    await trash.trashImages(['invokeai.png'])
    expect(await each(...queries)).toEqual([
      ['flux-again.jpg', 'flux.png'],
      ['flux-again.jpg', 'flux.png'],
      ['flux-again.jpg', 'flux.png'],
      ['flux-again.jpg'],
      ['flux-again.jpg'],
    ])

    await trash.restore({ imageNames: ['invokeai.png'], boardIds: [] })
    await images.remove(['flux.png'])
    await images.addCopies([{ image_name: 'copy.jpg', copy_of: 'flux-again.jpg' }], 'none')
    await addAll(records, newImage('new.png', made({ model: 'flux', steps: 50 })))
    expect(await each(...queries)).toEqual([
      ['copy.jpg', 'flux-again.jpg', 'new.png'],
      ['flux-again.jpg'],
      ['copy.jpg', 'flux-again.jpg'],
      ['copy.jpg', 'flux-again.jpg', 'invokeai.png'],
      ['copy.jpg', 'flux-again.jpg', 'invokeai.png', 'new.png'],
    ])
  })

  test('replaces the properties of images that are read again', async () => {
    const { records } = await openVaried()
    const { rereads } = records
    const read = { metadata: nothing, isAnimated: false }
    const unread = ['flux.png', 'photo.jpg'].map((imageName) => ({ imageName, read }))
    await rereads.store(READER_VERSION + 1, unread)
    expect(await found(records, 'model:flux')).toEqual(['flux-again.jpg'])

    const again = { ...nothing, normal: normalOf({ model: 'sdxl', steps: 12 }) }
    await rereads.store(READER_VERSION + 2, [
      { imageName: 'photo.jpg', read: { metadata: again, isAnimated: false } },
    ])
    expect(await found(records, 'model:sdxl steps:12')).toEqual(['photo.jpg'])
    expect(await rereads.describe(10)).toBe(0)
  })

  test('sorts by properties, also after metadata was read again', async () => {
    const { records } = await openVaried()
    const { images, rereads } = records
    const sorted = (orderBy: ImageOrder, changes: Partial<View> = {}) =>
      namesIn(records, { kind: 'image', orderBy, ...changes })

    const [square, tall, wide, photo] = ['flux.png', 'flux-again.jpg', 'invokeai.png', 'photo.jpg']
    expect(await sorted('steps')).toEqual([tall, wide, square, photo])
    expect(await sorted('cfg', { orderDir: 'ASC' })).toEqual([photo, square, tall, wide])
    expect(await sorted('width')).toEqual([photo, wide, square, tall])
    expect(await sorted('height', { starredFirst: true })).toEqual([tall, photo, square, wide])
    expect(await sorted('steps', { query: 'model:flux' })).toEqual([tall, square])
    const bySteps = { ...everything, orderBy: 'steps' } as const
    expect(await images.position(bySteps, wide)).toEqual({ position: 1, total: 4 })
    const page = await images.page(bySteps, { after: wide, limit: 5 })
    expect(page?.items.map(({ image_name }) => image_name)).toEqual([square, photo])

    const again = { metadata: { ...nothing, normal: normalOf({ steps: 99 }) }, isAnimated: false }
    await rereads.store(READER_VERSION + 1, [{ imageName: photo, read: again }])
    await addAll(records, newImage('new.png', made({ steps: 40 })))
    await images.remove([wide])
    expect(await sorted('steps')).toEqual([photo, 'new.png', tall, square])
  })

  test('counts the values of a view by property', async () => {
    const { records, best, clients } = await openVaried()
    const facets = async (query: string, keys: readonly FacetKey[], text?: string, limit = 20) => {
      const view = { orderBy: 'created_at', orderDir: 'DESC', starredFirst: false } as const
      const options = { keys, text, limit, timeZone: 'Europe/Berlin' }
      const counted = await records.images.facets({ ...view, query, kind: 'all' }, options)
      return counted.facets.map(({ key, values, total }) => [
        key,
        values.map(({ value, count }) => `${value} ${count}`),
        total,
      ])
    }

    expect(await facets('', ['model', 'lora', 'sampler', 'scheduler', 'generator'])).toEqual([
      ['model', ['flux1-dev 2', 'Dream Shaper XL 1'], 2],
      ['lora', ['Film Grain 2', 'detail 1'], 2],
      ['sampler', ['euler_ancestral 2', 'dpmpp_2m 1'], 2],
      ['scheduler', ['karras 1', 'normal 1'], 2],
      ['generator', ['a1111 1', 'camera 1', 'comfyui 1', 'invokeai 1'], 4],
    ])
    expect(await facets('', ['shape', 'size', 'type', 'kind', 'camera', 'lens', 'board'])).toEqual([
      ['shape', ['landscape 3', 'portrait 1', 'square 1'], 3],
      ['size', ['1024x1024 1', '1216x832 1', '6000x4000 1', '640x480 1', '832x1216 1'], 5],
      ['type', ['jpg 2', 'png 2', 'mp4 1'], 3],
      ['kind', ['image 4', 'video 1'], 2],
      ['camera', ['SONY ILCE-7M3 1'], 1],
      ['lens', ['FE 35mm F1.8 1'], 1],
      ['board', ['Best of 1', 'Clients/Acme 1'], 2],
    ])
    const [[, months]] = (await facets('taken', ['month'])) as [[string, string[]]]
    expect(months).toEqual([])
    expect(await facets('before:2026-06-16', ['month'])).toEqual([
      ['month', expect.arrayContaining(['2026-06 2', '2020-01 1', '1969-07 1']), 4],
    ])
    expect(await facets('model:flux', ['model', 'lora', 'sampler'], undefined, 1)).toEqual([
      ['model', ['flux1-dev 2'], 2],
      ['lora', ['Film Grain 2'], 2],
      ['sampler', ['euler_ancestral 2'], 1],
    ])
    expect(await facets('size:640x480 type:jpg', ['size', 'type'])).toEqual([
      ['size', ['6000x4000 1', '832x1216 1'], 2],
      ['type', ['mp4 1'], 1],
    ])
    expect(await facets('-model:flux steps>20', ['model'])).toEqual([
      ['model', ['Dream Shaper XL 1', 'flux1-dev 1'], 2],
    ])
    const [[, counts]] = (await facets('', ['board_id'])) as [[string, string[]]]
    expect(counts.toSorted()).toEqual([`${best} 1`, `${clients} 1`, 'none 3'].toSorted())
    expect(await facets('', ['model'], 'sha')).toEqual([['model', ['Dream Shaper XL 1'], 1]])
    expect(await facets('', ['model'], 'ux1')).toEqual([['model', ['flux1-dev 2'], 1]])
    expect(await facets('', ['model'], 'none')).toEqual([['model', [], 0]])

    const options = { keys: ['model', 'month'], limit: 9, timeZone: 'UTC', alternatives: false }
    const query = '-model:flux date:2020-01'
    const limited = await records.images.facets({ ...everything, query }, options as FacetOptions)
    expect(limited.facets.map(({ values }) => values)).toEqual([
      [{ value: 'Dream Shaper XL', count: 1 }],
      [{ value: '2020-01', count: 1 }],
    ])
  })

  test('sums up the storage, the words and the seeds of a view', async () => {
    const { records, best, clients } = await openVaried()
    const insights = (query: string, limit = 20, changes: Partial<View> = {}) =>
      records.images.insights(
        { ...everything, kind: 'all', ...changes, query },
        { keys: insightKeys, limit },
      )

    const all = await insights('')
    expect(all.storage?.boards[0]).toEqual({
      ...{ board_id: clients, board_name: 'Clients/Acme', count: 1, bytes: 6_000_000 },
    })
    expect(all.storage?.boards.map(({ board_id, count }) => [board_id, count])).toEqual(
      expect.arrayContaining([
        ['none', 3],
        [best, 1],
      ]),
    )
    expect(all.storage?.types.map(({ type, count }) => [type, count]).toSorted()).toEqual([
      ['jpg', 2],
      ['mp4', 1],
      ['png', 2],
    ])
    expect(all.words).toMatchObject({
      values: [
        { value: 'castle', count: 2 },
        { value: 'forest', count: 1 },
        { value: 'neon', count: 1 },
      ],
      ...{ total: 3, prompt_count: 3, read_count: 3 },
    })
    expect(all.seeds).toEqual({ values: [{ value: '1234', count: 2 }], total: 1 })

    const found = await insights('model:flux', 1)
    expect(found.storage).toMatchObject({ boards: [{ board_id: clients }], board_total: 2 })
    expect(found.words).toMatchObject({ values: [{ value: 'castle', count: 2 }], total: 2 })
    expect(found.seeds).toEqual({ values: [], total: 0 })
    expect(await insights('', 20, { boardId: 'nowhere' })).toEqual({
      storage: { boards: [], board_total: 0, types: [] },
      words: { values: [], total: 0, prompt_count: 0, read_count: 0 },
      seeds: { values: [], total: 0 },
    })

    const long = ['18446744073709551615', '18446744073709551614', '18446744073709551615']
    await addAll(
      records,
      ...long.map((seed) => newImage(`long-${seed}-${Math.random()}.png`, made({ seed }))),
    )
    expect((await insights('name:long')).seeds).toEqual({ values: [], total: 0 })
    expect((await insights('has:seed')).seeds).toEqual({
      values: [
        { value: '18446744073709551615', count: 3 },
        { value: '1234', count: 2 },
      ],
      total: 2,
    })
    const sameEnd = ['1234567890', '2234567890', '32345678', '42345678']
    await addAll(records, ...sameEnd.map((seed) => newImage(`${seed}.png`, made({ seed }))))
    expect((await insights('has:seed')).seeds?.total).toBe(2)
    await records.images.remove(['invokeai.png'])
    expect((await insights('has:seed')).seeds?.total).toBe(1)
  })

  test('finds with random conditions what a plain comparison finds, after any changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 3, maxLength: 8 }),
        fc.array(fc.array(topTerm, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 8 }),
        async (changes, searches) => {
          const library = new PlainLibrary(await open())
          for (const step of changes) {
            await library.apply(step)
            for (const terms of searches) await library.expectSame(terms)
          }
        },
      ),
      { numRuns: roundsOf({ usual: 6, all: 30 }) },
    )
  })
}

/** Makes a term without a place. */
const at0 = { start: 0, end: 0 }

const models = ['flux1-dev', 'Dream Shaper XL', 'sdxl']
const loras = ['film', 'detail']
const tags = ['people', 'people/anna', 'keep', 'C#', 'C']
const words = ['castle', 'forest', 'neon']

const leaf: fc.Arbitrary<SearchTerm> = fc.oneof(
  fc
    .constantFrom(...words)
    .map((text) => ({ type: 'word', text, isPhrase: false, ...at0 }) as const),
  fc
    .tuple(fc.constantFrom('model', 'lora', 'tag', 'prompt'), fc.boolean())
    .chain(([key, isExact]) =>
      fc
        .constantFrom(
          ...{
            model: ['flux1', 'dev', ...models],
            lora: loras,
            tag: ['anna', 'pe', ...tags],
            prompt: words,
          }[key],
        )
        .map((text) => ({ type: 'text', key, text, isExact, ...at0 }) as const),
    ),
  fc
    .constantFrom('1', '2')
    .map((text) => ({ type: 'text', key: 'seed', text, isExact: false, ...at0 }) as const),
  fc
    .record({
      key: fc.constantFrom('steps', 'width', 'bytes', 'rating'),
      limit: fc.integer({ min: 0, max: 6 }),
      isMin: fc.boolean(),
      isExcluded: fc.boolean(),
    })
    .map(
      ({ key, limit, isMin, isExcluded }) =>
        ({
          type: 'range',
          key,
          ...at0,
          min: isMin ? limit : null,
          max: isMin ? null : limit,
          isMinExcluded: isMin && isExcluded,
          isMaxExcluded: !isMin && isExcluded,
        }) as const,
    ),
  fc
    .constantFrom(
      ...([
        ['is', 'starred'],
        ['has', 'model'],
        ['has', 'lora'],
        ['has', 'tag'],
        ['has', 'board'],
        ['shape', 'square'],
        ['type', 'jpg'],
      ] as const),
    )
    .map(([key, choice]) => ({ type: 'choice', key, choice, ...at0 }) as const),
)

const { term } = fc.letrec<{ term: SearchTerm }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    tie('term').map((inner) => ({ type: 'not', term: inner, ...at0 }) as const),
    fc
      .tuple(fc.constantFrom('any', 'all'), fc.array(tie('term'), { minLength: 2, maxLength: 3 }))
      .map(([type, terms]) => ({ type, terms, ...at0 }) as const),
  ),
}))

/** Words at the top are searched in other ways too, if nothing matches. */
const topTerm = term.filter(({ type }) => type !== 'word' && type !== 'all')

interface PlainImage {
  image_name: string
  model: string | null
  loras: string[]
  prompt: string
  seed: number | null
  steps: number | null
  width: number
  height: number
  bytes: number
  isJpeg: boolean
  isStarred: boolean
  rating: number
  tags: string[]
  hasBoard: boolean
  isTrashed: boolean
}

const plainImage = fc.record({
  model: fc.option(fc.constantFrom(...models)),
  loras: fc.subarray(loras),
  prompt: fc.subarray(words).map((parts) => parts.join(' ')),
  seed: fc.option(fc.constantFrom(1, 2)),
  steps: fc.option(fc.integer({ min: 0, max: 6 })),
  width: fc.integer({ min: 1, max: 6 }),
  height: fc.integer({ min: 1, max: 6 }),
  bytes: fc.integer({ min: 0, max: 6 }),
  isJpeg: fc.boolean(),
  isStarred: fc.boolean(),
  rating: fc.integer({ min: 0, max: 5 }),
  tags: fc.subarray(tags),
  hasBoard: fc.boolean(),
})

const change = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ add: fc.array(plainImage, { minLength: 1, maxLength: 6 }) }),
  },
  fc.record({
    to: fc.constantFrom('star', 'unstar', 'move', 'take', 'trash', 'restore', 'remove'),
    which: fc.integer({ min: 0, max: 3 }),
  }),
  fc.record({ rating: fc.integer({ min: 0, max: 5 }), which: fc.integer({ min: 0, max: 3 }) }),
  fc.record({
    tag: fc.constantFrom(...tags),
    which: fc.integer({ min: 0, max: 3 }),
    isAdded: fc.boolean(),
  }),
  fc.record({ reread: plainImage, which: fc.integer({ min: 0, max: 3 }) }),
)
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

const metadataOf = ({ model, loras: names, prompt, seed, steps }: Omit<PlainImage, 'image_name'>) =>
  normalOf({
    ...{ model, prompt: prompt === '' ? null : prompt, seed, steps },
    loras: names.map((name) => ({ name, weight: null })),
  })

/** A library and a plain list of its images. */
class PlainLibrary {
  readonly #records: Records
  readonly #images = new Map<string, PlainImage>()
  #board: string | null = null
  #version = READER_VERSION

  constructor(records: Records) {
    this.#records = records
  }

  async apply(step: Change): Promise<void> {
    const { images, trash, rereads } = this.#records
    this.#board ??= await createBoard(this.#records, 'Board')
    if ('add' in step) {
      const added = step.add.map((image, at) => ({
        ...{ ...image, isTrashed: false },
        image_name: `${this.#images.size + at}.${image.isJpeg ? 'jpg' : 'png'}`,
      }))
      await images.addMany(added.map((image) => this.#newImage(image)))
      for (const image of added) this.#images.set(image.image_name, image)
      return
    }
    const chosen = [...this.#images.values()].filter((_, at) => at % 4 === step.which)
    const names = chosen.map(({ image_name }) => image_name)
    if (names.length === 0) return
    const set = (changes: Partial<PlainImage>) => {
      for (const image of chosen) if (!image.isTrashed) Object.assign(image, changes)
    }
    const live = chosen.filter(({ isTrashed }) => !isTrashed)
    const liveNames = live.map(({ image_name }) => image_name)
    if ('rating' in step) {
      set({ rating: step.rating })
      await images.setRating(liveNames, step.rating)
      return
    }
    if ('tag' in step) {
      const { tag, isAdded } = step
      for (const image of live) {
        const others = image.tags.filter((each) => each !== tag)
        image.tags = isAdded ? [...others, tag] : others
      }
      const changes = { add: isAdded ? [tag] : [], remove: isAdded ? [] : [tag] }
      await this.#records.tags.apply(liveNames, changes, { maxTags: 10 })
      return
    }
    if ('reread' in step) {
      const { model, loras: found, prompt, seed, steps } = step.reread
      for (const image of chosen) Object.assign(image, { model, loras: found, prompt, seed, steps })
      const read = {
        metadata: { ...nothing, normal: metadataOf({ ...step.reread, isTrashed: false }) },
      }
      this.#version += 1
      const again = names.map((imageName) => ({
        imageName,
        read: { ...read, isAnimated: false },
      }))
      await rereads.store(this.#version, again)
      return
    }
    if (step.to === 'star' || step.to === 'unstar') {
      set({ isStarred: step.to === 'star' })
      const live = chosen.filter(({ isTrashed }) => !isTrashed).map(({ image_name }) => image_name)
      await images.setStarred(live, step.to === 'star')
    } else if (step.to === 'move' || step.to === 'take') {
      set({ hasBoard: step.to === 'move' })
      const live = chosen.filter(({ isTrashed }) => !isTrashed).map(({ image_name }) => image_name)
      if (step.to === 'move') await images.addToBoard(live, this.#board)
      else await images.removeFromBoard(live)
    } else if (step.to === 'trash') {
      set({ isTrashed: true })
      await trash.trashImages(names)
    } else if (step.to === 'restore') {
      for (const image of chosen) image.isTrashed = false
      await trash.restore({ imageNames: names, boardIds: [] })
    } else {
      for (const name of names) this.#images.set(name, { ...gone, image_name: name })
      await images.remove(names)
    }
  }

  async expectSame(terms: readonly SearchTerm[]): Promise<void> {
    const query = printSearch(terms)
    const expected = [...this.#images.values()]
      .filter((image) => !image.isTrashed && terms.every((each) => matches(each, image)))
      .map(({ image_name }) => image_name)
    const names = await namesIn(this.#records, { query })
    expect({ query, names: names.toSorted() }).toEqual({ query, names: expected.toSorted() })
  }

  #newImage(image: PlainImage): NewImage {
    return newImage(image.image_name, {
      metadata: { normal: metadataOf(image) },
      ...{ width: image.width, height: image.height, file_size: image.bytes },
      ...{ media_type: image.isJpeg ? 'image/jpeg' : 'image/png', starred: image.isStarred },
      ...{ rating: image.rating, tags: image.tags },
      board_id: image.hasBoard ? this.#board : null,
    })
  }
}

/** A deleted image is in no view, like one in the trash, and cannot be restored. */
const gone: PlainImage = Object.freeze({
  ...{ image_name: '', model: null, loras: [], prompt: '', seed: null, steps: null, width: 1 },
  ...{
    height: 1,
    bytes: 0,
    isJpeg: false,
    isStarred: false,
    rating: 0,
    tags: [],
    hasBoard: false,
    isTrashed: true,
  },
})

const contains = (name: string, value: string, isExact: boolean): boolean => {
  const [tokens, wanted] = [nameTokens(name).join(' '), nameTokens(value).join(' ')]
  return isExact ? tokens === wanted : ` ${tokens}`.includes(` ${wanted}`)
}

const hasTag = (name: string, value: string, isExact: boolean): boolean => {
  if (isExact) return name.toLowerCase() === value.toLowerCase()
  return contains(name, value, false) && (value !== 'C#' || name === 'C#')
}

const matches = (each: SearchTerm, image: PlainImage): boolean => {
  switch (each.type) {
    case 'not':
      return !matches(each.term, image)
    case 'all':
      return each.terms.every((inner) => matches(inner, image))
    case 'any':
      return each.terms.some((inner) => matches(inner, image))
    case 'word':
      return image.prompt.includes(each.text)
    case 'text': {
      if (each.key === 'seed') return String(image.seed) === each.text
      if (each.key === 'prompt') return image.prompt.includes(each.text)
      const names = { model: [image.model ?? ''], lora: image.loras, tag: image.tags }[
        each.key as 'tag'
      ]
      return names.some((name) =>
        each.key === 'tag'
          ? hasTag(name, each.text, each.isExact)
          : contains(name, each.text, each.isExact),
      )
    }
    case 'range': {
      const value = image[each.key as 'steps']
      if (value === null) return false
      if (each.min !== null) return each.isMinExcluded ? value > each.min : value >= each.min
      return each.isMaxExcluded ? value < (each.max ?? 0) : value <= (each.max ?? 0)
    }
    case 'choice': {
      const { width, height } = image
      const isSquare = width * 100 <= height * 101 && height * 100 <= width * 101
      return {
        starred: image.isStarred,
        model: image.model !== null,
        lora: image.loras.length > 0,
        tag: image.tags.length > 0,
        board: image.hasBoard,
        square: isSquare,
        jpg: image.isJpeg,
      }[each.choice as 'starred']
    }
  }
}
