import { createContext, useContext } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import type { DragPayload } from '#gallery/ui/drag/drag.ts'

/** What a drag that begins on a tile carries; `null` where none may begin. */
export type TileDrag = (record: ImageRecord, position: number) => DragPayload | null

/** What the tiles of a grid have besides their picture and the checkbox. */
export interface TileParts {
  readonly drag: TileDrag
  readonly hasStar: boolean
  /** Lines of text over the picture. */
  readonly captionOf?: ((record: ImageRecord) => readonly string[]) | undefined
}

/** Given by the grid, which knows what is selected. */
export const TilePartsContext = createContext<TileParts>({ drag: () => null, hasStar: false })

export const useTileParts = (): TileParts => useContext(TilePartsContext)
