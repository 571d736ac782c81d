import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawPicture } from '#demo/draw-picture.ts'
import { graphOf } from '#testing/graph-of.ts'
import { MemoryEngineLibrary } from '#testing/library/memory-engine-library.ts'
import { runLocally } from '#testing/local-nodes.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { pictureNodes } from './index.ts'

const image = { image_name: 'photo.jpg' }

/** The inputs of each node, and the size and channels of its result for a photo of 60 x 40 pixels. */
const nodes: [type: string, inputs: Record<string, unknown>, size: [number, number, number]][] = [
  ['blank_image', {}, [512, 512, 3]],
  ['save_image', { image }, [60, 40, 3]],
  ['canvas_output', { image }, [60, 40, 3]],
  ['img_crop', { image }, [512, 512, 4]],
  ['img_pad_crop', { image }, [60, 40, 4]],
  ['img_paste', { base_image: image, image, x: 30 }, [90, 40, 4]],
  ['img_resize', { image }, [512, 512, 3]],
  ['img_scale', { image }, [120, 80, 3]],
  ['img_blur', { image }, [60, 40, 4]],
  ['unsharp_mask', { image }, [60, 40, 3]],
  ['img_noise', { image, mask: image }, [60, 40, 4]],
  ['invokeai_img_enhance', { image, color: 2 }, [60, 40, 3]],
  ['img_lerp', { image }, [60, 40, 3]],
  ['img_ilerp', { image }, [60, 40, 3]],
  ['img_conv', { image }, [60, 40, 1]],
  ['img_chan', { image, channel: 'R' }, [60, 40, 1]],
  ['img_mul', { image1: image, image2: image }, [60, 40, 3]],
  ['img_hue_adjust', { image }, [60, 40, 4]],
  ['img_channel_offset', { image, channel: 'Hue (HSV)' }, [60, 40, 4]],
  ['img_channel_multiply', { image, channel: 'A (LAB)' }, [60, 40, 4]],
]

let folder = ''

beforeAll(async () => {
  folder = await createTemporaryFolder()
})
afterAll(() => removeFolder(folder))

const libraryWithPhoto = async () => {
  const library = new MemoryEngineLibrary(folder)
  const { bytes } = await drawPicture({ seed: 3, kind: 'a1111-jpeg', widthPx: 60, heightPx: 40 })
  await library.add(image.image_name, bytes)
  return library
}

test.each(nodes)('%s saves a PNG', async (type, inputs, [width, height, channels]) => {
  const library = await libraryWithPhoto()

  const end = await runLocally(graphOf({ node: { type, ...inputs } }), { library })

  expect(end).toMatchObject({ status: 'completed' })
  const saved = library.saved.map(({ bytes }) => sharp(bytes).metadata())
  expect(await Promise.all(saved)).toMatchObject([{ format: 'png', width, height, channels }])
})

test('covers every node that makes a picture', () => {
  expect(pictureNodes.map(({ type }) => type).sort()).toEqual(nodes.map(([type]) => type).sort())
})

test.each(['CMYK', 'YCbCr', 'LAB', 'HSV', 'F'])('fails to save an image in %s', async (mode) => {
  const library = await libraryWithPhoto()

  const end = await runLocally(graphOf({ node: { type: 'img_conv', image, mode } }), { library })

  expect(end).toMatchObject({
    status: 'failed',
    fault: { type: 'ImageFileSaveException', message: `cannot write mode ${mode} as PNG` },
  })
  expect(library.saved).toEqual([])
})
