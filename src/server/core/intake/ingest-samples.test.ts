import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { PictureKind } from '#demo/describe-picture.ts'
import { drawPicture } from '#demo/draw-picture.ts'
import { shareLibrary } from '#testing/library/open-library.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

/** Used if no folder of real images is configured, so that the suite always has samples. */
const drawSamples = async (): Promise<string> => {
  const folder = await createTemporaryFolder()
  const kinds: PictureKind[] = ['invokeai', 'a1111', 'comfyui', 'comfyui-webp', 'photo']
  for (const [seed, kind] of kinds.entries()) {
    const { bytes, fileName } = await drawPicture({ seed, kind, widthPx: 64, heightPx: 64 })
    await writeFile(join(folder, fileName), bytes)
  }
  return folder
}

const named = process.env.TESSERA_SAMPLES
const folder = named ?? (await drawSamples())
const samples = (await readdir(folder)).filter((name) =>
  /\.(png|jpe?g|webp|gif|avif|tiff?)$/.test(name),
)
console.log(
  named === undefined
    ? `samples: TESSERA_SAMPLES names no folder, ${samples.length} drawn files stand in`
    : `samples: ${samples.length} real images of TESSERA_SAMPLES`,
)

afterAll(async () => {
  if (named === undefined) await removeFolder(folder)
})

const getLibrary = shareLibrary()

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

test.each(samples)('%s is taken in, unchanged, and what it embeds is read', async (fileName) => {
  const { ingest, pathOf, images, thumbnails } = getLibrary()
  const bytes = await readFile(join(folder, fileName))

  const { image } = await ingest.ingest({ source: once(bytes), fileName, category: 'user' })

  expect((await readFile(pathOf(image.image_name))).equals(bytes)).toBe(true)
  expect(image.width * image.height).toBeGreaterThan(0)
  expect(await thumbnails.read(image.image_name, 384)).not.toBeNull()
  const normal = (await images.metadata(image.image_name))?.normal
  const raw = normal?.raw ?? {}
  const isGenerated = 'parameters' in raw || 'prompt' in raw || 'invokeai_metadata' in raw
  if (isGenerated) {
    expect(normal).toMatchObject({ prompt: expect.any(String), seed: expect.any(Number) })
  }
})
