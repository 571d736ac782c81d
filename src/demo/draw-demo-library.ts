import { describePicture } from './describe-picture.ts'
import { type DrawnPicture, drawPicture } from './draw-picture.ts'

/** Number of pictures to draw in advance, so that all cores are busy while the caller stores a picture. */
const AHEAD = 3

const seedsByAge = (count: number, seed: number): number[] =>
  Array.from({ length: count }, (_, index) => describePicture(seed * 1_000_003 + index))
    .sort((one, other) => other.ageMs - one.ageMs)
    .map((description) => description.pictureSeed)

/**
 * Draws the pictures of a demo library, oldest first, so that stored images are in the order of their dates.
 *
 * @param count - Number of pictures.
 * @param options - `newest`: the date of the newest picture, in milliseconds since 1970. `seed`: each seed gives
 *   another library.
 */
export async function* drawDemoLibrary(
  count: number,
  { newest, seed = 1 }: { newest?: number; seed?: number } = {},
): AsyncGenerator<DrawnPicture> {
  const seeds = seedsByAge(count, seed)
  const drawing: Promise<DrawnPicture>[] = []
  for (const next of seeds) {
    const picture = drawPicture({ seed: next, ...(newest !== undefined && { newest }) })
    // Prevents an unhandled rejection if the caller stops before this picture.
    picture.catch(() => undefined)
    drawing.push(picture)
    const [first] = drawing
    if (first !== undefined && drawing.length > AHEAD) {
      yield await first
      void drawing.shift()
    }
  }
  for (const picture of drawing) yield await picture
}
