import type { ImageView } from '#gallery/api/images/image-windows.ts'

/** Images that are chosen by where they stand in a view. Their names may have to be fetched. */
export interface ImageRule {
  readonly view: ImageView
  /** Ascending. */
  readonly positions: readonly number[]
  /** @throws Where the server does not tell. */
  readonly names: () => Promise<readonly string[]>
}

/** Images to act on: named, or by a rule. */
export type Images = readonly string[] | ImageRule

export const isRule = (images: Images): images is ImageRule => 'positions' in images
