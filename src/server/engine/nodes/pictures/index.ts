import type { NodeDefinition } from '#server/engine/define-node.ts'
import {
  imgChannelMultiply,
  imgChannelOffset,
  imgConv,
  imgHueAdjust,
  imgMul,
} from '#server/engine/nodes/pictures/colors/change-channel.ts'
import { imgChan } from '#server/engine/nodes/pictures/colors/channel.ts'
import { imgIlerp, imgLerp } from '#server/engine/nodes/pictures/colors/lerp.ts'
import { imgBlur, imgEnhance } from '#server/engine/nodes/pictures/filters/enhance.ts'
import { imgNoise } from '#server/engine/nodes/pictures/filters/noise.ts'
import { unsharpMask } from '#server/engine/nodes/pictures/filters/unsharp-mask.ts'
import { imgCrop, imgPadCrop } from '#server/engine/nodes/pictures/geometry/crop.ts'
import { imgPaste } from '#server/engine/nodes/pictures/geometry/paste.ts'
import { imgResize, imgScale } from '#server/engine/nodes/pictures/geometry/resize.ts'
import { blankImage, canvasOutput, saveImage } from '#server/engine/nodes/pictures/saving/copies.ts'

export const pictureNodes: readonly NodeDefinition[] = [
  blankImage,
  saveImage,
  canvasOutput,
  imgCrop,
  imgPadCrop,
  imgPaste,
  imgResize,
  imgScale,
  imgBlur,
  unsharpMask,
  imgNoise,
  imgEnhance,
  imgLerp,
  imgIlerp,
  imgConv,
  imgChan,
  imgMul,
  imgHueAdjust,
  imgChannelOffset,
  imgChannelMultiply,
]
