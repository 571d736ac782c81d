/** The inputs of each kind of step. Sizes are in pixels. */
interface StepInputs {
  resize: {
    /** The given side. The other one keeps the proportions of the image. `both` sets both sides. */
    readonly by: 'longest' | 'width' | 'height' | 'both'
    /** The length of the side in `by`. */
    readonly sidePx: number
    readonly widthPx: number
    readonly heightPx: number
  }
  scale: { readonly percent: number }
  /** Centered, and never larger than the image. */
  crop: {
    readonly to: 'proportions' | 'size'
    readonly proportions: Proportions
    readonly widthPx: number
    readonly heightPx: number
  }
  /** The added area is transparent. */
  pad: {
    readonly leftPx: number
    readonly rightPx: number
    readonly topPx: number
    readonly bottomPx: number
  }
  blur: { readonly shape: 'gaussian' | 'box'; readonly radiusPx: number }
  sharpen: { readonly radiusPx: number; readonly percent: number }
  /** Percent: 100 means unchanged. */
  enhance: {
    readonly brightness: number
    readonly contrast: number
    readonly color: number
    readonly sharpness: number
    readonly isInverted: boolean
  }
  convert: { readonly mode: 'L' | 'RGB' | 'RGBA' }
  /** The mask is white where the image is opaque, bright or similar to the color. */
  mask: {
    readonly by: 'alpha' | 'brightness' | 'color'
    /** `#rrggbb`. */
    readonly color: string
    /** The maximum distance from the color: 1 to 510. */
    readonly tolerance: number
    readonly isInverted: boolean
  }
  upscale: { readonly modelKey: string }
}

/** Width to height. */
export const PROPORTIONS = ['1:1', '4:3', '3:2', '16:9', '3:4', '2:3', '9:16'] as const
export type Proportions = (typeof PROPORTIONS)[number]

export type StepKind = keyof StepInputs

/** One step of a chain that images go through. */
export type StepOf<K extends StepKind> = { readonly kind: K } & StepInputs[K]
export type Step = { [K in StepKind]: StepOf<K> }[StepKind]

export interface SizePx {
  readonly width: number
  readonly height: number
}

/** Returns the size of an image after a step; null if unknown. */
export function sizeAfter(step: Step, size: SizePx | null): SizePx | null {
  switch (step.kind) {
    case 'resize':
      return step.by === 'both'
        ? { width: step.widthPx, height: step.heightPx }
        : size && resized(size, step)
    case 'scale':
      return size && scaled(size, step.percent / 100)
    case 'crop':
      return size && cropped(size, step)
    case 'pad': {
      const { leftPx, rightPx, topPx, bottomPx } = step
      return (
        size && { width: size.width + leftPx + rightPx, height: size.height + topPx + bottomPx }
      )
    }
    case 'upscale':
      return null // Only the model knows by how much.
    default:
      return size
  }
}

/** Returns the box that a crop keeps, or the box of a padded image, whose `x` and `y` are zero or negative. */
export function boxAfter(
  step: StepOf<'crop'> | StepOf<'pad'>,
  size: SizePx,
): SizePx & { readonly x: number; readonly y: number } {
  const after = sizeAfter(step, size) ?? size
  if (step.kind === 'pad') return { x: -step.leftPx, y: -step.topPx, ...after }
  const x = Math.floor((size.width - after.width) / 2)
  const y = Math.floor((size.height - after.height) / 2)
  return { x, y, ...after }
}

/** A step whose result has more pixels than the server allows. */
export interface OverLimit {
  /** The index of the step; -1 for the image itself. */
  readonly index: number
  readonly size: SizePx
}

/** Returns the first step whose result is too large for the server; null if there is none among the known sizes. */
export function stepOverLimit(
  steps: readonly Step[],
  image: SizePx,
  maxPixels: number,
): OverLimit | null {
  const isOver = ({ width, height }: SizePx) => width * height > maxPixels
  if (isOver(image)) return { index: -1, size: image }
  let size: SizePx | null = image
  for (const [index, step] of steps.entries()) {
    size = sizeAfter(step, size)
    if (size !== null && isOver(size)) return { index, size }
  }
  return null
}

const needsSize = (step: Step): boolean =>
  step.kind === 'crop' || step.kind === 'pad' || (step.kind === 'resize' && step.by !== 'both')

/** Returns the index of the first step that needs a size after an upscale, which makes it unknown; -1 if none. */
export function stepWithoutSize(steps: readonly Step[]): number {
  let size: SizePx | null = { width: 1, height: 1 }
  return steps.findIndex((step) => {
    if (size === null && needsSize(step)) return true
    size = sizeAfter(step, size)
    return false
  })
}

function resized({ width, height }: SizePx, { by, sidePx }: StepOf<'resize'>): SizePx {
  const side = by === 'width' ? width : by === 'height' ? height : Math.max(width, height)
  const factor = sidePx / side
  return { width: atLeastOne(width * factor), height: atLeastOne(height * factor) }
}

/** Returns the scaled size. The server truncates fractions. */
const scaled = ({ width, height }: SizePx, factor: number): SizePx => ({
  width: Math.trunc(width * factor),
  height: Math.trunc(height * factor),
})

function cropped({ width, height }: SizePx, step: StepOf<'crop'>): SizePx {
  if (step.to === 'size') {
    return { width: Math.min(width, step.widthPx), height: Math.min(height, step.heightPx) }
  }
  const [across = 1, down = 1] = step.proportions.split(':').map(Number)
  const isTooWide = width * down > height * across
  return isTooWide
    ? { width: atLeastOne((height * across) / down), height }
    : { width, height: atLeastOne((width * down) / across) }
}

const atLeastOne = (value: number): number => Math.max(1, Math.round(value))
