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
