import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { decodeBmp, isBmpHead } from './bmp.ts'
import { headOf } from './image-head.ts'
import { decodeHeic, isAnimatedAvif, isHeicHead, readAnimatedAvif } from './iso-media.ts'
import { decodeJxl, isJxlHead } from './jxl.ts'

/**
 * Opens a file with sharp. Decodes BMP, HEIC and JPEG XL files first, which sharp does not read.
 *
 * @throws {Error} if a decoded file is damaged. Errors of other formats come from the pipeline.
 */
export const openWithSharp = async (
  path: string,
  options: SharpOptions & { limitInputPixels: number },
): Promise<Sharp> => {
  const head = await headOf(path)
  if (isBmpHead(head)) {
    const { bytes, width, height, channels } = await decodeBmp(path, options.limitInputPixels)
    return sharp(bytes, { raw: { width, height, channels }, limitInputPixels: false })
  }
  if (isJxlHead(head)) {
    return sharp(await decodeJxl(path, options.limitInputPixels), options).ensureAlpha()
  }
  if (isAnimatedAvif(head)) return sharp(await readAnimatedAvif(path), options)
  if (!isHeicHead(head)) return sharp(path, options)
  const { hasAlpha } = await sharp(path, { limitInputPixels: false }).metadata()
  const heic = sharp(await decodeHeic(path), options)
  return hasAlpha ? heic : heic.removeAlpha()
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
