import { type ByteMode, type BytePicture, bandsOf, emptyPicture } from './picture.ts'

/**
 * A picture of one colour.
 *
 * @param pixel - Its bands; more than the mode has are left out.
 */
export const filledPicture = (
  mode: ByteMode,
  { width, height }: { width: number; height: number },
  pixel: readonly number[],
): BytePicture => {
  const filled = emptyPicture(mode, width, height)
  const bands = bandsOf[mode]
  filled.data.set(pixel.slice(0, bands))
  // Doubles what is there: a few copies of memory instead of a loop over every pixel.
  for (let done = bands; done < filled.data.length; done *= 2) filled.data.copyWithin(done, 0, done)
  return filled
}
