import type { NodeDefinition } from '#server/engine/define-node.ts'
import { imgChannelMultiply, imgChannelOffset } from './colours/change-channel.ts'
import { imgChan } from './colours/channel.ts'
import { imgConv } from './colours/convert.ts'
import { imgHueAdjust } from './colours/hue.ts'
import { imgIlerp, imgLerp } from './colours/lerp.ts'
import { imgMul } from './colours/multiply.ts'
import { imgBlur } from './filters/blur.ts'
import { imgEnhance } from './filters/enhance.ts'
import { imgNoise } from './filters/noise.ts'
import { unsharpMask } from './filters/unsharp-mask.ts'
import { imgCrop, imgPadCrop } from './geometry/crop.ts'
import { imgPaste } from './geometry/paste.ts'
import { imgResize, imgScale } from './geometry/resize.ts'
import { blankImage } from './saving/blank-image.ts'
import { canvasOutput, saveImage } from './saving/copies.ts'

/** The nodes that make a picture out of others, by family (wire 9.5). */
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
