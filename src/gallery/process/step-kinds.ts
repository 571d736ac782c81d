import {
  Blend,
  Contrast,
  Crop,
  Droplet,
  Frame,
  type LucideIcon,
  Maximize2,
  Scaling,
  Sparkles,
  SunMedium,
  VenetianMask,
} from 'lucide-react'
import {
  PROPORTIONS,
  type Step,
  type StepKind,
  type StepOf,
} from '#gallery/api/process/process-steps.ts'
import { choice, type Field, type FieldOf, heightPx, invert, px, widthPx } from './step-field.ts'

interface KindOf<K extends StepKind> {
  readonly label: string
  readonly icon: LucideIcon
  readonly start: StepOf<K>
  readonly fields: readonly FieldOf<StepOf<K>>[]
}

const percentFrom0 = { unit: '%', min: 0, max: 300, isSlider: true } as const

/** Every kind of step, in menu order. */
export const stepKinds: { readonly [K in StepKind]: KindOf<K> } = {
  resize: {
    label: 'Resize',
    icon: Scaling,
    start: { kind: 'resize', by: 'longest', sidePx: 1024, widthPx: 1024, heightPx: 1024 },
    fields: [
      choice('by', 'Set', {
        longest: 'Longest side',
        width: 'Width',
        height: 'Height',
        both: 'Width and height',
      }),
      { ...px('Size'), name: 'sidePx', isShown: ({ by }) => by !== 'both' },
      { ...widthPx, isShown: ({ by }) => by === 'both' },
      { ...heightPx, isShown: ({ by }) => by === 'both' },
    ],
  },
  scale: {
    label: 'Scale',
    icon: Maximize2,
    start: { kind: 'scale', percent: 50 },
    fields: [{ type: 'number', name: 'percent', label: 'To', unit: '%', min: 1, max: 800 }],
  },
  crop: {
    label: 'Crop',
    icon: Crop,
    start: { kind: 'crop', to: 'proportions', proportions: '1:1', widthPx: 512, heightPx: 512 },
    fields: [
      choice('to', 'To', { proportions: 'Proportions', size: 'Width and height' }),
      {
        type: 'choice',
        name: 'proportions',
        label: 'Proportions',
        options: PROPORTIONS.map((value) => [value, value]),
        isShown: ({ to }) => to === 'proportions',
      },
      { ...widthPx, isShown: ({ to }) => to === 'size' },
      { ...heightPx, isShown: ({ to }) => to === 'size' },
    ],
  },
  pad: {
    label: 'Pad',
    icon: Frame,
    start: { kind: 'pad', leftPx: 32, rightPx: 32, topPx: 32, bottomPx: 32 },
    fields: [
      { ...px('Left', 0), name: 'leftPx' },
      { ...px('Right', 0), name: 'rightPx' },
      { ...px('Top', 0), name: 'topPx' },
      { ...px('Bottom', 0), name: 'bottomPx' },
    ],
  },
  blur: {
    label: 'Blur',
    icon: Droplet,
    start: { kind: 'blur', shape: 'gaussian', radiusPx: 8 },
    fields: [
      choice('shape', 'Kind', { gaussian: 'Gaussian', box: 'Box' }),
      { type: 'number', name: 'radiusPx', label: 'Radius', unit: 'px', min: 0, max: 200 },
    ],
  },
  sharpen: {
    label: 'Sharpen',
    icon: Sparkles,
    start: { kind: 'sharpen', radiusPx: 2, percent: 50 },
    fields: [
      { type: 'number', name: 'radiusPx', label: 'Radius', unit: 'px', min: 1, max: 100 },
      { type: 'number', name: 'percent', label: 'Strength', unit: '%', min: 0, max: 500 },
    ],
  },
  enhance: {
    label: 'Enhance',
    icon: SunMedium,
    start: {
      kind: 'enhance',
      brightness: 100,
      contrast: 100,
      color: 100,
      sharpness: 100,
      isInverted: false,
    },
    fields: [
      { type: 'number', name: 'brightness', label: 'Brightness', ...percentFrom0 },
      { type: 'number', name: 'contrast', label: 'Contrast', ...percentFrom0 },
      { type: 'number', name: 'color', label: 'Color', ...percentFrom0 },
      { type: 'number', name: 'sharpness', label: 'Sharpness', ...percentFrom0 },
      invert,
    ],
  },
  convert: {
    label: 'Color mode',
    icon: Contrast,
    start: { kind: 'convert', mode: 'L' },
    fields: [
      choice('mode', 'To', { L: 'Gray', RGB: 'Color, opaque', RGBA: 'Color with transparency' }),
    ],
  },
  mask: {
    label: 'Mask',
    icon: VenetianMask,
    start: { kind: 'mask', by: 'brightness', color: '#ffffff', tolerance: 100, isInverted: false },
    fields: [
      choice('by', 'Mask from', {
        brightness: 'Brightness',
        alpha: 'Transparency',
        color: 'Color',
      }),
      { type: 'color', name: 'color', label: 'Color', isShown: ({ by }) => by === 'color' },
      {
        type: 'number',
        name: 'tolerance',
        label: 'Tolerance',
        min: 1,
        max: 510,
        isSlider: true,
        isShown: ({ by }) => by === 'color',
      },
      invert,
    ],
  },
  upscale: {
    label: 'Upscale',
    icon: Blend,
    start: { kind: 'upscale', modelKey: '' },
    fields: [{ type: 'model', name: 'modelKey', label: 'Model' }],
  },
}

interface AnyKind extends Pick<KindOf<StepKind>, 'label' | 'icon'> {
  readonly fields: readonly Field[]
}

/** Returns the kind of a step. Its fields match that step, which the table's type cannot express. */
export const kindOf = (step: Step): AnyKind => stepKinds[step.kind] as unknown as AnyKind
