import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { PictureKind } from './describe-picture.ts'
import { drawDemoLibrary } from './draw-demo-library.ts'
import { drawPicture } from './draw-picture.ts'

const small = { widthPx: 96, heightPx: 64 }

const textsOf = async (bytes: Buffer) =>
  Object.fromEntries(
    ((await sharp(bytes).metadata()).comments ?? []).map(({ keyword, text }) => [keyword, text]),
  )

test('draws equal bytes for equal seeds only', async () => {
  const [one, again, other] = await Promise.all([
    drawPicture({ seed: 5, ...small }),
    drawPicture({ seed: 5, ...small }),
    drawPicture({ seed: 6, ...small }),
  ])

  expect(again.bytes.equals(one.bytes)).toBe(true)
  expect(other.bytes.equals(one.bytes)).toBe(false)
})

test.each<[PictureKind, string]>([
  ['invokeai', 'png'],
  ['a1111', 'png'],
  ['comfyui', 'png'],
  ['a1111-jpeg', 'jpeg'],
  ['comfyui-webp', 'webp'],
  ['photo', 'jpeg'],
  ['plain-webp', 'webp'],
  ['gif', 'gif'],
  ['avif', 'heif'],
  ['tiff', 'tiff'],
])('draws %s as a complete %s of the requested size', async (kind, format) => {
  const { bytes } = await drawPicture({ seed: 11, kind, ...small })

  const metadata = await sharp(bytes).metadata()
  expect(metadata).toMatchObject({ format, width: 96, height: 64 })
  expect(await sharp(bytes).stats()).toMatchObject({ isOpaque: true })
})

test.each<PictureKind>(['animated-gif', 'animated-webp'])(
  'draws %s with several frames',
  async (kind) => {
    const { bytes } = await drawPicture({ seed: 3, kind, ...small })

    expect(await sharp(bytes).metadata()).toMatchObject({ pages: 4, height: 64 })
  },
)

test('stores a portrait photo rotated, with an EXIF orientation', async () => {
  const { bytes } = await drawPicture({ seed: 4, kind: 'photo', widthPx: 60, heightPx: 90 })

  expect(await sharp(bytes).metadata()).toMatchObject({ width: 90, height: 60, orientation: 6 })
})

test('writes the description to the text chunks of generators', async () => {
  const invokeai = await drawPicture({ seed: 21, kind: 'invokeai', ...small })
  const a1111 = await drawPicture({ seed: 21, kind: 'a1111', ...small })
  const comfyui = await drawPicture({ seed: 21, kind: 'comfyui', ...small })

  expect(JSON.parse((await textsOf(invokeai.bytes)).invokeai_metadata ?? '')).toMatchObject({
    positive_prompt: invokeai.description.prompt,
    seed: invokeai.description.seed,
  })
  expect((await textsOf(a1111.bytes)).parameters).toContain(`Seed: ${a1111.description.seed}`)
  expect(JSON.parse((await textsOf(comfyui.bytes)).prompt ?? '')).toMatchObject({
    '6': { inputs: { text: comfyui.description.prompt } },
  })
})

test('yields a demo library oldest first and stops with the consumer', async () => {
  const dates: number[] = []
  for await (const { takenAt } of drawDemoLibrary(1000)) {
    dates.push(takenAt)
    if (dates.length === 3) break
  }

  expect(dates).toEqual(dates.toSorted((one, other) => one - other))
})
