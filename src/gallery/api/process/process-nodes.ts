import { boxAfter, type SizePx, type Step, sizeAfter } from './process-steps.ts'

/** The type and inputs of a node, without the fields that all nodes have. */
export interface PlannedNode {
  readonly type: string
  readonly inputs: Readonly<Record<string, unknown>>
}

/** The size and overlap of the tiles in which a model processes an image, in pixels. */
const TILE = { tile_size: 256, overlap: 16 }

/**
 * Builds the nodes of one step for an image of a size.
 *
 * @throws {Error} The step needs the size, which is unknown after an upscale.
 */
export function nodesOf(step: Step, size: SizePx | null): readonly PlannedNode[] {
  switch (step.kind) {
    case 'resize':
      return [node('img_resize', { ...known(sizeAfter(step, size)), resample_mode: 'lanczos' })]
    case 'scale':
      return [node('img_scale', { scale_factor: step.percent / 100, resample_mode: 'lanczos' })]
    // A box larger than the image pads it. Unlike `img_pad_crop`, this node can save to a board.
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
      // `tomask` uses the last channel of the image.
      const mode = step.by === 'alpha' ? 'RGBA' : 'L'
      return [node('img_conv', { mode }), node('tomask', { invert })]
    }
    case 'upscale':
      return [node('onnx_image', { model: { key: step.modelKey }, ...TILE })]
  }
}

const node = (type: string, inputs: PlannedNode['inputs']): PlannedNode => ({ type, inputs })

function known(size: SizePx | null): SizePx {
  if (size !== null) return size
  throw new Error('This step needs the size of the image, which is not known after an upscale')
}

/** Converts `#ff8000` to the opaque color input of a node. */
function colorOf(hex: string): { r: number; g: number; b: number; a: number } {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  return { r, g, b, a: 255 }
}
