import type { NodeDefinition } from '#server/engine/define-node.ts'
import {
  calculateImageTiles,
  calculateImageTilesEvenSplit,
  calculateImageTilesMinOverlap,
} from './calculate-tiles.ts'
import { mergeTilesToImage } from './merge-tiles.ts'
import { pairTileImage, tileToProperties } from './pair-tile.ts'
import { imagePanelLayout } from './panel-layout.ts'

/** The nodes that divide a picture into parts and put it together again (wire 9.5). */
export const tileNodes: readonly NodeDefinition[] = [
  imagePanelLayout,
  calculateImageTiles,
  calculateImageTilesEvenSplit,
  calculateImageTilesMinOverlap,
  tileToProperties,
  pairTileImage,
  mergeTilesToImage,
]
