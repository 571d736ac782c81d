import type { ImageMediaType } from '#contract/image.ts'
import { lookOf } from './look.ts'

/** The generator or camera that a file imitates, and its format. */
export type PictureKind =
  | 'invokeai'
  | 'a1111'
  | 'a1111-jpeg'
  | 'comfyui'
  | 'comfyui-webp'
  | 'photo'
  | 'plain-webp'
  | 'gif'
  | 'animated-gif'
  | 'animated-webp'
  | 'avif'
  | 'tiff'

/** Contents of a picture's file and record. Equal seeds give equal descriptions. */
export interface PictureDescription {
  /** The seed of all other properties. */
  pictureSeed: number
  kind: PictureKind
  fileName: string
  mediaType: ImageMediaType
  widthPx: number
  heightPx: number
  prompt: string
  negativePrompt: string
  model: string
  /** The seed in the generator's metadata. */
  seed: number
  steps: number
  cfgScale: number
  sampler: string
  scheduler: string
  loras: { name: string; weight: number }[]
  camera: { make: string; model: string; lens: string }
  /** Age relative to the newest picture of the library, in milliseconds. */
  ageMs: number
  starred: boolean
  /** The suggested board, or null for an uncategorized picture. */
  boardName: string | null
}

/** Properties that override those of the seed. */
export interface PictureOptions {
  kind?: PictureKind | undefined
  widthPx?: number | undefined
  heightPx?: number | undefined
}

interface FileFormat {
  readonly mediaType: ImageMediaType
  /** @param number - A number of five digits, as generators and cameras count their files. */
  fileName(number: string, picture: Omit<PictureDescription, 'fileName'>): string
}

const fileFormats: Readonly<Record<PictureKind, FileFormat>> = {
  invokeai: {
    mediaType: 'image/png',
    fileName: (number, { model }) => `${number}_${model.replaceAll(/[^\w]+/g, '-')}.png`,
  },
  a1111: { mediaType: 'image/png', fileName: (number, { seed }) => `${number}-${seed}.png` },
  'a1111-jpeg': {
    mediaType: 'image/jpeg',
    fileName: (number, { seed }) => `${number}-${seed}.jpg`,
  },
  comfyui: { mediaType: 'image/png', fileName: (number) => `ComfyUI_${number}_.png` },
  'comfyui-webp': { mediaType: 'image/webp', fileName: (number) => `ComfyUI_${number}_.webp` },
  photo: {
    mediaType: 'image/jpeg',
    fileName: (number, { ageMs }) => {
      const date = new Date(NEWEST_DATE - ageMs).toISOString().slice(0, 10)
      return `IMG_${date.replaceAll('-', '')}_${number}.jpg`
    },
  },
  'plain-webp': { mediaType: 'image/webp', fileName: (number) => `saved-${number}.webp` },
  gif: { mediaType: 'image/gif', fileName: (number) => `loop-${number}.gif` },
  'animated-gif': { mediaType: 'image/gif', fileName: (number) => `loop-${number}.gif` },
  'animated-webp': { mediaType: 'image/webp', fileName: (number) => `saved-${number}.webp` },
  avif: { mediaType: 'image/avif', fileName: (number) => `export-${number}.avif` },
  tiff: { mediaType: 'image/tiff', fileName: (number) => `scan-${number}.tiff` },
}

/** Distribution of kinds in a typical collection: mostly PNG files of generators. */
const usualKinds: readonly [PictureKind, ...PictureKind[]] = [
  'a1111-jpeg',
  'comfyui-webp',
  'plain-webp',
  ...Array<PictureKind>(9).fill('invokeai'),
  ...Array<PictureKind>(5).fill('comfyui'),
  ...Array<PictureKind>(4).fill('a1111'),
  ...Array<PictureKind>(3).fill('photo'),
]

const models = [
  'Juggernaut XL v9',
  'FLUX.1 dev',
  'DreamShaper 8',
  'SDXL base 1.0',
  'RealVisXL V5.0',
  'Stable Diffusion 3.5 Large',
  'Z-Image Turbo',
] as const

const styles = [
  'cinematic lighting',
  'highly detailed',
  '35mm film',
  'volumetric light',
  'matte painting',
  'sharp focus',
  'subtle colour grading',
  'wide shot',
] as const

const negatives = [
  'blurry, low quality, watermark, text',
  'people, signature, jpeg artifacts',
  'oversaturated, frame, border, cropped',
  '',
] as const

const generatedSizes = [
  [1024, 1024],
  [1024, 1024],
  [832, 1216],
  [1216, 832],
  [1152, 896],
  [896, 1152],
  [1344, 768],
  [768, 1344],
] as const

const cameraSizes = [
  [1500, 1000],
  [1000, 1500],
  [1600, 1200],
] as const

const cameras = [
  { make: 'Fujifilm', model: 'X-T5', lens: 'XF23mmF1.4 R LM WR' },
  { make: 'Canon', model: 'EOS R6', lens: 'RF35mm F1.8 MACRO IS STM' },
  { make: 'Google', model: 'Pixel 9', lens: 'Pixel 9 back camera 6.9mm f/1.68' },
] as const

const samplers = ['euler', 'dpmpp_2m', 'dpmpp_2m_sde', 'euler_ancestral', 'unipc'] as const
const schedulers = ['karras', 'normal', 'simple', 'beta'] as const
const loraNames = ['film-grain-xl', 'add-detail', 'epic-landscapes', 'ink-and-paper'] as const

const DAY_MS = 86_400_000

/** Default date of the newest picture, in milliseconds since 1970. Ages count back from it. */
export const NEWEST_DATE = Date.UTC(2026, 10, 20, 12)

/** Describes a picture without drawing it. Tests with a million records need only the descriptions. */
export const describePicture = (
  pictureSeed: number,
  options: PictureOptions = {},
): PictureDescription => {
  const { subject, palette, random } = lookOf(pictureSeed)
  const usualKind = random.pick(usualKinds)
  const kind = options.kind ?? usualKind
  const size = random.pick(kind === 'photo' ? cameraSizes : generatedSizes)
  const { mediaType, fileName } = fileFormats[kind]
  const usesLora = random.isLikely(0.3)
  const words = [
    random.pick(subject.prompts),
    palette.words,
    random.pick(styles),
    random.pick(styles),
  ]
  const description = {
    pictureSeed,
    kind,
    mediaType,
    widthPx: options.widthPx ?? size[0],
    heightPx: options.heightPx ?? size[1],
    prompt: [...new Set(words)].join(', '),
    negativePrompt: random.pick(negatives),
    model: random.pick(models),
    seed: random.integer(1, 2 ** 32 - 1),
    steps: random.integer(8, 40),
    cfgScale: random.integer(2, 16) / 2,
    sampler: random.pick(samplers),
    scheduler: random.pick(schedulers),
    loras: usesLora ? [{ name: random.pick(loraNames), weight: random.integer(3, 10) / 10 }] : [],
    camera: random.pick(cameras),
    // Squared, so that recent weeks have the most pictures, as in an active library.
    ageMs: Math.floor(random.next() ** 2 * 500 * DAY_MS),
    starred: random.isLikely(0.08),
    boardName: random.isLikely(0.2) ? null : subject.board,
  }
  const number = String(random.integer(1, 99_999)).padStart(5, '0')
  return { ...description, fileName: fileName(number, description) }
}
