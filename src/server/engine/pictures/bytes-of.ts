import { toMode } from './modes/to-mode.ts'
import { type BytePicture, isBytePicture, type Picture } from './picture.ts'

/** The picture itself if its bands are bytes, else as `L`. */
export const bytesOf = async (picture: Picture, signal: AbortSignal): Promise<BytePicture> =>
  isBytePicture(picture) ? picture : toMode(picture, 'L', signal)
