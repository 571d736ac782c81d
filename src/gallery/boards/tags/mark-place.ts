import { MAX_RATING } from '#contract/limits.ts'
import { ALL_BOARDS } from '#gallery/url/place-order.ts'
import { exactly, quotedIfNeeded } from '#gallery/url/typed-conditions.ts'
import type { TagRow } from './tag-tree.ts'

/** Returns the place with the images of a tag and of the levels below it. */
export const placeOfTag = ({ name, hasLevels }: Pick<TagRow, 'name' | 'hasLevels'>) =>
  placeOf(hasLevels ? `tag:${quotedIfNeeded(name)}` : exactly('tag', name))

/** Returns the place with the images that have this rating or a better one. */
export const placeOfRating = (rating: number) =>
  placeOf(rating === MAX_RATING ? `rating:${rating}` : `rating>=${rating}`)

const placeOf = (query: string) => ({ board: ALL_BOARDS, image: null, search: null, query })
