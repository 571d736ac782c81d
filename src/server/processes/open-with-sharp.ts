import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { decodeBmp } from './bmp.ts'
import { decodeHeic, readAnimatedAvif } from './iso-media.ts'

/**
 * Opens a file with sharp. Decodes BMP and HEIC files first, which sharp does not read.
 *
 * @throws {Error} if a BMP or HEIC is damaged. Errors of other formats come from the pipeline.
 */
export const openWithSharp = async (
  path: string,
  options: SharpOptions & { limitInputPixels: number },
): Promise<Sharp> => {
  const bmp = await decodeBmp(path, options.limitInputPixels)
  if (bmp === null) {
    const heic = await decodeHeic(path)
    if (heic === null) return sharp((await readAnimatedAvif(path)) ?? path, options)
    const { hasAlpha } = await sharp(path, { limitInputPixels: false }).metadata()
    return hasAlpha ? sharp(heic, options) : sharp(heic, options).removeAlpha()
  }
  const { bytes, width, height, channels } = bmp
  return sharp(bytes, { raw: { width, height, channels }, limitInputPixels: false })
}

/** Loaders of the supported formats. SVG, PDF and others remain blocked. */
const loaders = ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map(
  (loader) => `VipsForeignLoad${loader}`,
)

/** Configures sharp for this process. Each process that reads library files calls it at its start. */
export function setUpSharp(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: loaders })
  // Several concurrent pictures with one thread each are faster than one picture on all threads. No cache, because
  // nothing is read twice.
  sharp.concurrency(1)
  sharp.cache(false)
}
