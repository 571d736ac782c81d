import { describePicture } from './describe-picture.ts'
import { type DrawnPicture, drawPicture } from './draw-picture.ts'

/** Drawn ahead of whoever asks, so that the cores have work while a picture is being stored. */
const AHEAD = 3

const seedsByAge = (count: number, seed: number): number[] =>
  Array.from({ length: count }, (_, index) => describePicture(seed * 1_000_003 + index))
    .sort((one, other) => other.ageMs - one.ageMs)
    .map((description) => description.pictureSeed)

/**
 * Draws the pictures of a demo library, oldest first, so that whoever stores them in turn stores them
 * in the order of their dates.
 *
 * @param count - How many pictures.
 * @param options - `newest`: the date of the newest, in milliseconds since 1970. `seed`: another
 *   number, another library.
 */
export async function* drawDemoLibrary(
  count: number,
  { newest, seed = 1 }: { newest?: number; seed?: number } = {},
): AsyncGenerator<DrawnPicture> {
  const seeds = seedsByAge(count, seed)
  const drawing: Promise<DrawnPicture>[] = []
  for (const next of seeds) {
    const picture = drawPicture({ seed: next, ...(newest !== undefined && { newest }) })
    // Whoever stops early never awaits it.
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
