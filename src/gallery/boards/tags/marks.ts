import { MAX_RATING } from '#contract/limits.ts'
import { ALL_BOARDS } from '#gallery/url/place-order.ts'
import { exactly } from '#gallery/url/typed-conditions.ts'
import type { TagRow } from './tag-tree.ts'

/** The ratings of the sidebar, the best first. */
export const RATINGS: readonly number[] = [5, 4, 3, 2, 1]

/** The key of a row among those of the navigation. */
export const keyOfTag = (name: string): string => `tag:${name}`

export const keyOfRating = (rating: number): string => `rating:${rating}`

/** Returns the place with the images of a tag and of the levels below it. */
export const placeOfTag = ({ name, hasLevels }: Pick<TagRow, 'name' | 'hasLevels'>) =>
  placeOf(exactly('tag', hasLevels ? `${name}/` : name))

/** Returns the place with the images that have this rating or a better one. */
export const placeOfRating = (rating: number) =>
  placeOf(rating === MAX_RATING ? `rating:${rating}` : `rating>=${rating}`)

const placeOf = (query: string) => ({ board: ALL_BOARDS, image: null, search: null, query })
