import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { decodeBmp } from './bmp.ts'

/**
 * Opens a file as sharp does. sharp reads no BMP: its pixels are decoded first.
 *
 * @throws {Error} if a BMP is damaged. Faults of other formats come from the pipeline.
 */
export const openWithSharp = async (
  path: string,
  options: SharpOptions & { limitInputPixels: number },
): Promise<Sharp> => {
  const bmp = await decodeBmp(path, options.limitInputPixels)
  if (bmp === null) return sharp(path, options)
  const { bytes, width, height, channels } = bmp
  return sharp(bytes, { raw: { width, height, channels }, limitInputPixels: false })
}

/** The loaders of the formats that are taken in. SVG, PDF and the rest stay shut. */
const loaders = ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map(
  (loader) => `VipsForeignLoad${loader}`,
)

/** Sets sharp up for this whole process: each process that reads files of the library does so at its start. */
export function setUpSharp(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: loaders })
  // Several pictures at once, one thread each, beat one picture on all threads; nothing is read twice.
  sharp.concurrency(1)
  sharp.cache(false)
}
