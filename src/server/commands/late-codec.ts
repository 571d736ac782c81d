import { DEFAULT_MAX_PIXELS } from '#contract/limits.ts'
import type { DecodedImage, ItemKind } from '#server/core/images/picture-ports.ts'
import type { Codec } from '#server/storage/thumbnails/image-codec.ts'

/** Loads the image decoder at the first file to decode. Most runs of `doctor` decode none, and start sooner without it. */
export function lateCodec(): {
  decode(path: string, given: { kind: ItemKind }): Promise<DecodedImage>
} {
  let codec: Promise<Codec> | undefined
  const open = async () => {
    const { openImageCodec } = await import('#server/storage/thumbnails/image-codec.ts')
    return openImageCodec({ maxPixels: DEFAULT_MAX_PIXELS })
  }
  return {
    decode: async (path, given) => {
      codec ??= open()
      return (await codec).decode(path, given)
    },
  }
}
