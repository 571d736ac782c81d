import { DEFAULT_MAX_PIXELS } from '#contract/limits.ts'
import type { ImageCodec } from '#server/core/images/picture-ports.ts'

/** Loads the image decoder at the first file to decode. Most runs of `doctor` decode none, and start sooner without it. */
export function lateCodec(): Pick<ImageCodec, 'decode'> {
  let codec: Promise<ImageCodec> | undefined
  const open = async () => {
    const { openImageCodec } = await import('#server/storage/thumbnails/image-codec.ts')
    return openImageCodec({ maxPixels: DEFAULT_MAX_PIXELS })
  }
  return {
    decode: async (path) => {
      codec ??= open()
      return (await codec).decode(path)
    },
  }
}
