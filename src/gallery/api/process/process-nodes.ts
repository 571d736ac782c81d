import { boxAfter, type SizePx, type Step, sizeAfter } from './process-steps.ts'

/** A node without what every node has: its type and the inputs that are its own (wire 9.5). */
export interface PlannedNode {
  readonly type: string
  readonly inputs: Readonly<Record<string, unknown>>
}

/** The longest side of the pieces in which a model takes an image, in pixels. */
const TILE = { tile_size: 256, overlap: 16 }

/**
 * The nodes of one step, for an image of that size.
 *
 * @throws {UnknownSizeError} The step needs the size, which an upscaling before it has made unknown.
 */
export function nodesOf(step: Step, size: SizePx | null): readonly PlannedNode[] {
  switch (step.kind) {
    case 'resize':
      return [node('img_resize', { ...known(sizeAfter(step, size)), resample_mode: 'lanczos' })]
    case 'scale':
      return [node('img_scale', { scale_factor: step.percent / 100, resample_mode: 'lanczos' })]
    // A box that reaches beyond the image pads it. Unlike `img_pad_crop` it can save to a board.
    case 'crop':
    case 'pad':
      return [node('img_crop', { ...boxAfter(step, known(size)) })]
    case 'blur':
      return [node('img_blur', { radius: step.radiusPx, blur_type: step.shape })]
    case 'sharpen':
      return [node('unsharp_mask', { radius: step.radiusPx, strength: step.percent })]
    case 'enhance':
      return [
        node('invokeai_img_enhance', {
          brightness: step.brightness / 100,
          contrast: step.contrast / 100,
          color: step.color / 100,
          sharpness: step.sharpness / 100,
          invert: step.isInverted,
        }),
      ]
    case 'convert':
      return [node('img_conv', { mode: step.mode })]
    case 'mask': {
      const invert = step.isInverted
      if (step.by === 'color') {
        const color = colorOf(step.color)
        return [node('mask_from_id', { color, threshold: step.tolerance, invert })]
      }
      // `tomask` takes the last channel, whichever that is.
      const mode = step.by === 'alpha' ? 'RGBA' : 'L'
      return [node('img_conv', { mode }), node('tomask', { invert })]
    }
    case 'upscale':
      return [node('onnx_image', { model: { key: step.modelKey }, ...TILE })]
  }
}

/** A step was to be worked out for an image of which nobody knows the size. */
export class UnknownSizeError extends Error {
  override name = 'UnknownSizeError'

  constructor() {
    super('This step needs the size of the image, which is not known after an upscale')
  }
}

const node = (type: string, inputs: PlannedNode['inputs']): PlannedNode => ({ type, inputs })

function known(size: SizePx | null): SizePx {
  if (size === null) throw new UnknownSizeError()
  return size
}

/** `#ff8000` as a node takes it, opaque. */
function colorOf(hex: string): { r: number; g: number; b: number; a: number } {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  return { r, g, b, a: 255 }
}
