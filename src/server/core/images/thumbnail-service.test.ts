import { unlink, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { STRIP_FRAME_PX } from '#contract/limits.ts'
import { drawPicture } from '#demo/draw-picture.ts'
import { drawClip, drawClipWithoutFrames } from '#testing/library/draw-clip.ts'
import { shareLibrary } from '#testing/library/open-library.ts'
import { ThumbnailService } from './thumbnail-service.ts'

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const getLibrary = shareLibrary()

const addOne = async () => {
  const library = getLibrary()
  const { bytes } = await drawPicture({ seed: 1, kind: 'plain-webp', widthPx: 1000, heightPx: 500 })
  const { image } = await library.ingest.ingest({ source: once(bytes), category: 'user' })
  return { library, imageName: image.image_name }
}

test('makes a larger thumbnail on the first request only', async () => {
  const { library, imageName } = await addOne()
  expect(await library.thumbnails.read(imageName, 768)).toBeNull()

  const webp = await library.thumbnailService.get(imageName, 768)

  expect(await sharp(webp).metadata()).toMatchObject({ format: 'webp', width: 768, height: 384 })
  expect(await library.thumbnails.read(imageName, 768)).toEqual(webp)
  await library.thumbnails.write(imageName, 768, Buffer.from('stored'))
  expect(String(await library.thumbnailService.get(imageName, 768))).toBe('stored')
})

test('makes a lost thumbnail again', async () => {
  const { library, imageName } = await addOne()
  await library.thumbnails.remove([imageName])

  expect(await sharp(await library.thumbnailService.get(imageName)).metadata()).toMatchObject({
    width: 384,
  })
})

test('makes a thumbnail once for concurrent requests', async () => {
  const { library, imageName } = await addOne()
  let decodes = 0
  const service = new ThumbnailService({
    ...library,
    codec: {
      ...library.codec,
      thumbnail: (path, sizePx) => {
        decodes++
        return library.codec.thumbnail(path, sizePx)
      },
    },
  })

  await Promise.all(Array.from({ length: 20 }, () => service.get(imageName, 1536)))

  expect(decodes).toBe(1)
})

test.each(['018f0000-0000-7000-8000-0000000000ab.png', '../x', 'cat.png'])(
  'refuses an unknown image: %s',
  async (imageName) => {
    const { thumbnailService } = getLibrary()

    await expect(thumbnailService.get(imageName)).rejects.toMatchObject({
      code: 'image_not_found',
    })
  },
)

test('has no thumbnail for a record without a file', async () => {
  const { library, imageName } = await addOne()
  await unlink(library.pathOf(imageName))

  await expect(library.thumbnailService.get(imageName, 768)).rejects.toMatchObject({
    code: 'image_not_found',
  })
})

test('makes no thumbnail of a damaged original', async () => {
  const { library, imageName } = await addOne()
  const { bytes } = await drawPicture({ seed: 2, kind: 'plain-webp', widthPx: 90, heightPx: 50 })
  await writeFile(library.pathOf(imageName), bytes)

  await expect(library.thumbnailService.get(imageName, 768)).rejects.toMatchObject({
    code: 'damaged_image',
  })
})

test('leaves no thumbnail of an image deleted meanwhile', async () => {
  const { library, imageName } = await addOne()
  const service = new ThumbnailService({
    ...library,
    codec: {
      ...library.codec,
      thumbnail: async (path, sizePx) => {
        const webp = await library.codec.thumbnail(path, sizePx)
        await library.images.remove([imageName])
        return webp
      },
    },
  })

  await expect(service.get(imageName, 768)).rejects.toMatchObject({ code: 'image_not_found' })
  expect(await library.thumbnails.read(imageName, 768)).toBeNull()
})

const addClip = async (bytes: Buffer) => {
  const library = getLibrary()
  const { image } = await library.ingest.ingest({
    ...{ source: once(bytes), category: 'user', kind: 'video' },
  })
  return { library, videoName: image.image_name }
}

test('makes a strip once for concurrent requests, and stores it until the video is gone', async () => {
  const { library, videoName } = await addClip(await drawClip())
  let made = 0
  const strip = (path: string) => {
    made += 1
    return library.codec.strip(path)
  }
  const service = new ThumbnailService({ ...library, codec: { ...library.codec, strip } })

  const [first] = await Promise.all(Array.from({ length: 20 }, () => service.strip(videoName)))

  expect(made).toBe(1)
  expect(await service.strip(videoName)).toEqual(first)
  expect(made).toBe(1)
  await library.thumbnails.remove([videoName])
  expect(await library.thumbnails.read(videoName, STRIP_FRAME_PX)).toBeNull()
})

test('tries once to decode a video whose frames are lost', async () => {
  const { library, videoName } = await addClip(await drawClipWithoutFrames())
  let tries = 0
  const strip = (path: string) => {
    tries += 1
    return library.codec.strip(path)
  }
  const service = new ThumbnailService({ ...library, codec: { ...library.codec, strip } })

  for (let count = 0; count < 2; count += 1)
    await expect(service.strip(videoName)).rejects.toMatchObject({ code: 'no_strip' })

  expect(tries).toBe(1)
})

test('leaves no strip of a video deleted meanwhile', async () => {
  const { library, videoName } = await addClip(await drawClip())
  const strip = async (path: string) => {
    const webp = await library.codec.strip(path)
    await library.images.remove([videoName])
    return webp
  }
  const service = new ThumbnailService({ ...library, codec: { ...library.codec, strip } })

  await expect(service.strip(videoName)).rejects.toThrow()
  expect(await library.thumbnails.read(videoName, STRIP_FRAME_PX)).toBeNull()
})
