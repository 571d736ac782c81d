/** Names of Pillow's filters, as nodes accept them. */
export const resampleModes = [
  'nearest',
  'box',
  'bilinear',
  'hamming',
  'bicubic',
  'lanczos',
] as const
export type ResampleMode = (typeof resampleModes)[number]

/** Weights pixels by their distance from the center, in pixels of the larger scale. */
export interface ResampleFilter {
  /** The weight is 0 beyond this distance. */
  readonly support: number
  weight(distance: number): number
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))

const cubic = (x: number): number => {
  // a = -0.5: Catmull-Rom, as in Pillow.
  if (x < 1) return (1.5 * x - 2.5) * x * x + 1
  return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
}

/** All filters except for `nearest`, which has no weights. */
export const resampleFilters: Readonly<Record<Exclude<ResampleMode, 'nearest'>, ResampleFilter>> = {
  box: { support: 0.5, weight: (x) => (x > -0.5 && x <= 0.5 ? 1 : 0) },
  bilinear: { support: 1, weight: (x) => Math.max(0, 1 - Math.abs(x)) },
  hamming: {
    support: 1,
    weight: (x) => (Math.abs(x) >= 1 ? 0 : sinc(x) * (0.54 + 0.46 * Math.cos(Math.PI * x))),
  },
  bicubic: { support: 2, weight: (x) => cubic(Math.abs(x)) },
  lanczos: { support: 3, weight: (x) => (x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0) },
}
