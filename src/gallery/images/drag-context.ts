import { createContext, useContext } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import type { DragPayload } from '#gallery/ui/drag.ts'

/** What a drag that begins on a tile carries; `null` where none may begin. */
export type TileDrag = (record: ImageRecord, position: number) => DragPayload | null

/** Given by the grid, which knows what is selected. */
export const TileDragContext = createContext<TileDrag>(() => null)

export const useTileDrag = (): TileDrag => useContext(TileDragContext)
