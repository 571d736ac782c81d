import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'

/** Makes the same thumbnail and placeholder with sharp alone, as a baseline for what the cores can do. */
export const withBareSharp = async (path: string): Promise<void> => {
  const { data, info } = await sharp(path)
    .resize(384, 384, { fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const reduced = sharp(data, { raw: { width, height, channels } })
  const [, small] = await Promise.all([
    reduced.clone().webp({ quality: 80, effort: 2 }).toBuffer(),
    reduced
      .clone()
      .resize(32, 32, { fit: 'inside' })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true }),
  ])
  rgbaToThumbHash(small.info.width, small.info.height, small.data)
}
