import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawPicture } from '#demo/draw-picture.ts'
import { matchingNodes } from '#server/engine/nodes/matching/color-correct.ts'
import { tileNodes } from '#server/engine/nodes/tiles/index.ts'
import { graphOf } from '#testing/graph-of.ts'
import { MemoryEngineLibrary } from '#testing/library/memory-engine-library.ts'
import { outputOf, runLocally } from '#testing/local-nodes.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { maskNodes } from './index.ts'

const image = { image_name: 'photo.png' }
const color = { r: 255, g: 0, b: 0, a: 255 }
const bounding_box = { x_min: 0, x_max: 60, y_min: 0, y_max: 40 }
const edges = { edge_size: 4, edge_blur: 1, low_threshold: 100, high_threshold: 200 }
const tile = {
  coords: { top: 0, bottom: 40, left: 0, right: 60 },
  overlap: { top: 0, bottom: 0, left: 0, right: 0 },
}

/** The inputs of each node, and the channels and category of its result for a photo of 60 x 40 pixels. */
const nodes: [type: string, inputs: Record<string, unknown>, channels: number, category: string][] =
  [
    ['crop_image_to_bounding_box', { image }, 4, 'general'],
    [
      'paste_image_into_bounding_box',
      { source_image: image, target_image: image, bounding_box },
      4,
      'general',
    ],
    ['tomask', { image }, 1, 'mask'],
    ['mask_combine', { mask1: image, mask2: image }, 1, 'mask'],
    ['mask_from_id', { image, color }, 1, 'mask'],
    ['mask_edge', { image, ...edges }, 1, 'mask'],
    ['expand_mask_with_fade', { mask: image, threshold: 100 }, 1, 'mask'],
    ['apply_mask_to_image', { image, mask: image }, 4, 'general'],
    ['infill_rgba', { image }, 4, 'general'],
    ['canny_edge_detection', { image }, 3, 'general'],
    ['color_map', { image }, 3, 'general'],
    ['color_correct', { base_image: image, color_reference: image, mask: image }, 4, 'general'],
    ['merge_tiles_to_image', { tiles_with_images: [{ tile, image }] }, 3, 'general'],
  ]

let folder = ''

beforeAll(async () => {
  folder = await createTemporaryFolder()
})
afterAll(() => removeFolder(folder))

const libraryWithPhoto = async () => {
  const library = new MemoryEngineLibrary(folder)
  const { bytes } = await drawPicture({ seed: 3, kind: 'a1111-jpeg', widthPx: 60, heightPx: 40 })
  await library.add(image.image_name, await sharp(bytes).ensureAlpha().png().toBuffer())
  return library
}

test.each(nodes)('%s saves a PNG', async (type, inputs, channels, category) => {
  const library = await libraryWithPhoto()

  const end = await runLocally(graphOf({ node: { type, ...inputs } }), { library })

  expect(end).toMatchObject({ status: 'completed' })
  expect(library.saved).toMatchObject([{ category }])
  const saved = library.saved.map(({ bytes }) => sharp(bytes).metadata())
  expect(await Promise.all(saved)).toMatchObject([
    { format: 'png', width: 60, height: 40, channels },
  ])
})

test('covers every node that makes a picture', () => {
  const saving = [...maskNodes, ...matchingNodes, ...tileNodes].filter((node) => node.saving)

  expect(saving.map(({ type }) => type).sort()).toEqual(nodes.map(([type]) => type).sort())
})

test('crops an image with a box from another node', async () => {
  const library = await libraryWithPhoto()
  const mask = sharp({ create: { width: 9, height: 9, channels: 3, background: '#000' } })
  const dot = await sharp({ create: { width: 3, height: 2, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  await library.add(
    'mask.png',
    await mask
      .composite([{ input: dot, left: 4, top: 5 }])
      .png()
      .toBuffer(),
  )
  const nodesOfGraph = {
    find: { type: 'get_image_mask_bounding_box', mask: { image_name: 'mask.png' } },
    cut: { type: 'crop_image_to_bounding_box', image },
  }

  await runLocally(graphOf(nodesOfGraph, ['find.bounding_box -> cut.bounding_box']), { library })

  // The first node returns the first to the last white pixel. The second one excludes the last.
  expect(await sharp(library.saved[0]?.bytes).metadata()).toMatchObject({ width: 2, height: 1 })
})

test.each([1, 2, 3] as const)(
  'outputs an image of %d channels unchanged instead of filling it',
  async (channels) => {
    const library = await libraryWithPhoto()
    const raw = { width: 3, height: 2, channels }
    const bytes = await sharp(new Uint8Array(6 * channels), { raw })
      .toColourspace(channels === 3 ? 'srgb' : 'b-w')
      .png()
      .toBuffer()
    const record = await library.add('other.png', bytes)

    expect(await outputOf('infill_rgba', { image: { image_name: 'other.png' } }, library)).toEqual({
      type: 'image_output',
      image: { image_name: record.image_name },
      width: 3,
      height: 2,
    })
    expect(library.saved).toEqual([])
  },
)
