import type { NodeDefinition } from '#server/engine/define-node.ts'
import { applyMask } from './apply-mask.ts'
import { colorMap } from './color-map.ts'
import { cropToBox } from './crop-to-box.ts'
import { cannyEdgeDetection, maskEdge } from './edges.ts'
import { expandMaskWithFade } from './fade.ts'
import { findBox } from './find-box.ts'
import { infillRgba } from './infill.ts'
import { maskCombine, maskFromId, toMask } from './make-mask.ts'
import { pasteIntoBox } from './paste-into-box.ts'

/** The nodes of masks, boxes and edges (wire 9.5). */
export const maskNodes: readonly NodeDefinition[] = [
  cropToBox,
  pasteIntoBox,
  findBox,
  toMask,
  maskCombine,
  maskFromId,
  applyMask,
  infillRgba,
  expandMaskWithFade,
  maskEdge,
  cannyEdgeDetection,
  colorMap,
]
