import { expect, test } from 'vitest'
import type { NormalMetadata } from '#contract/metadata.ts'
import type { NewImage, View } from '#server/core/images/image-ports.ts'
import type { Records } from '#server/core/record-ports.ts'
import { addAll, createBoard, everything, namesIn, newImage, normalOf } from './new-image.ts'

const ranked = { ...everything, orderBy: 'relevance' } as const satisfies View

const made = (name: string, fields: Partial<NormalMetadata>) =>
  newImage(name, { metadata: { normal: normalOf(fields) } })

/** A field of a fingerprint with these levels. */
const row = (brightness: number, blueness: number, redness: number): number => {
  const field = (brightness << 6) | (blueness << 3) | redness
  return (field << 20) | (field << 10) | field
}
const red = row(6, 1, 6)
const blue = row(4, 6, 2)
const gray = row(8, 3, 3)

const drawn = (name: string, high: number, low: number, rows: readonly number[]): NewImage =>
  newImage(name, { fingerprint: [high, low, ...rows] })

/** Tests that every implementation of `ImageRecords` must pass for conditions on likeness. */
export const testLikeness = (open: () => Promise<Records>): void => {
  const openPictures = async () => {
    const records = await open()
    await addAll(
      records,
      drawn('fox.png', 0x12345678, 0x9abcdef0, [gray, gray, red]),
      drawn('near.png', 0x12345679, 0x9abcdef0, [gray, gray, red]),
      // Mirrored at its diagonal and across: the fox with its red row in the right column.
      drawn('far.png', 0x1234a678, 0x9abc12f0, [gray, gray, red]),
      drawn('castle.png', 0xedcb0f0f, 0x0f0ff0f0, [blue, blue, blue]),
      newImage('without.png'),
    )
    return records
  }

  test('finds images that look like one, the most alike first', async () => {
    const records = await openPictures()
    const found = (query: string, view: Partial<View> = {}) =>
      namesIn(records, { ...ranked, ...view, query })

    expect(await found('like:fox.png')).toEqual(['fox.png', 'near.png', 'far.png'])
    expect(await found('like:near.png')).toEqual(['near.png', 'fox.png', 'far.png'])
    expect(await found('like:castle.png')).toEqual(['castle.png'])
    expect(await found('like:without.png')).toEqual(['without.png'])
    expect(await found('like:unknown.png')).toEqual([])
    expect(await found('like:fox.png', { orderDir: 'ASC' })).toEqual([
      'far.png',
      'near.png',
      'fox.png',
    ])
    expect(await found('like:fox.png', { orderBy: 'created_at' })).toEqual([
      'far.png',
      'near.png',
      'fox.png',
    ])
  })

  test('combines likeness with boards and other conditions, and follows changes', async () => {
    const records = await openPictures()
    const boardId = await createBoard(records, 'Board')
    await records.images.addToBoard(['near.png', 'castle.png'], boardId)
    const found = (query: string, view: Partial<View> = {}) =>
      namesIn(records, { ...ranked, ...view, query })

    expect(await found('like:fox.png', { boardId })).toEqual(['near.png'])
    expect(await found('like:fox.png -board:Board')).toEqual(['fox.png', 'far.png'])
    expect(await found('-like:fox.png')).toEqual(['without.png', 'castle.png'])
    expect(await found('like:fox.png OR like:castle.png')).toHaveLength(4)
    await records.trash.trashImages(['near.png'])
    await addAll(records, drawn('new.png', 0x12345678, 0x9abcdef0, [gray, gray, red]))
    expect(await found('like:fox.png')).toEqual(['fox.png', 'new.png', 'far.png'])

    const view = { ...ranked, query: 'like:fox.png' }
    expect(await records.images.position(view, 'far.png')).toEqual({ position: 2, total: 3 })
    const after = await records.images.page(view, { after: 'fox.png', limit: 1 })
    expect(after?.items.map(({ image_name }) => image_name)).toEqual(['new.png'])
  })

  test('finds images with a color, those with most of it first', async () => {
    const records = await open()
    await addAll(
      records,
      drawn('a-row.png', 1, 2, [gray, gray, red]),
      drawn('red.png', 3, 4, [red, red, red]),
      drawn('blue.png', 5, 6, [blue, blue, blue]),
      drawn('gray.png', 7, 8, [gray, gray, gray]),
    )
    const found = (query: string) => namesIn(records, { ...ranked, query })

    expect(await found('color:red')).toEqual(['red.png', 'a-row.png'])
    expect(await found('color:#0000c0')).toEqual(['blue.png'])
    expect(await found('color:gray -color:red')).toEqual(['gray.png'])
  })

  test('finds prompts with the same rare words', async () => {
    const records = await open()
    await addAll(
      records,
      made('a.png', { prompt: 'a red fox in the snow, masterpiece' }),
      made('b.png', { prompt: 'a red fox in the desert, masterpiece' }),
      made('c.png', { prompt: 'a castle by the sea, masterpiece' }),
      made('d.png', { prompt: 'a castle by the lake, masterpiece' }),
      made('e.png', { prompt: 'the moon, masterpiece' }),
      newImage('none.png'),
    )
    const found = (query: string) => namesIn(records, { ...ranked, query })

    expect(await found('like:prompt:a.png')).toEqual(['a.png', 'b.png'])
    expect(await found('like:prompt:d.png')).toEqual(['d.png', 'c.png'])
    expect(await found('like:prompt:none.png')).toEqual(['none.png'])
  })

  test('finds images that were made with nearly the same parameters', async () => {
    const records = await open()
    const lora = (name: string) => ({ loras: [{ name, weight: 1 }] })
    const base = { generator: 'comfyui', model: 'flux', sampler: 'euler', steps: 20 } as const
    await addAll(
      records,
      made('a.png', { ...base, ...lora('film') }),
      made('same.png', { ...base, ...lora('film') }),
      made('steps.png', { ...base, ...lora('film'), steps: 40 }),
      made('other-lora.png', { ...base, ...lora('detail') }),
      made('other-model.png', { ...base, model: 'sdxl' }),
      newImage('none.png'),
    )
    const found = (query: string) => namesIn(records, { ...ranked, query })

    expect(await found('like:parameters:a.png')).toEqual([
      ...['a.png', 'same.png', 'steps.png', 'other-lora.png'],
    ])
    expect(await found('like:parameters:none.png')).toEqual(['none.png'])
  })
}
