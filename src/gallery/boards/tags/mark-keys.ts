/** The ratings of the sidebar, the best first. */
export const RATINGS: readonly number[] = [5, 4, 3, 2, 1]

/** The key of a row among those of the navigation. */
export const keyOfTag = (name: string): string => `tag:${name}`

export const keyOfRating = (rating: number): string => `rating:${rating}`
