import { type Palette, palettes } from './palette.ts'
import { type SeededRandom, seededRandom } from './seeded-random.ts'
import { type Subject, subjects } from './subjects.ts'

/** What a seed shows and in which light. `random` goes on from there. */
export const lookOf = (
  pictureSeed: number,
): { subject: Subject; palette: Palette; random: SeededRandom } => {
  const random = seededRandom(pictureSeed)
  return { subject: random.pick(subjects), palette: random.pick(palettes), random }
}
