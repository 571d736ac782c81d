import type { ImageRecord } from '#contract/image.ts'
import { storedExtensionOf } from '#contract/media-types.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import { generatorText } from '#gallery/api/images/generator-text.ts'
import { formatBytes } from '#gallery/ui/text/count.ts'
import { formatTimestamp } from '#gallery/ui/text/timestamp.ts'

/** One image with its metadata. null: its file has none. */
export interface Compared {
  readonly image: ImageRecord
  readonly metadata: NormalMetadata | null
}

/** A property whose values differ. */
export interface DifferingRow {
  readonly label: string
  /** One value for each image; empty if the image has none. */
  readonly values: readonly string[]
  /** True for texts, which are compared word by word. */
  readonly isText: boolean
}

type Value = string | number | null | undefined

const properties: readonly (readonly [string, (one: Compared) => Value])[] = [
  ['Prompt', ({ metadata }) => metadata?.prompt],
  ['Negative prompt', ({ metadata }) => metadata?.negative_prompt],
  ['Model', ({ metadata }) => metadata?.model],
  ['LoRAs', ({ metadata }) => metadata && lorasText(metadata)],
  ['Seed', ({ metadata }) => metadata?.seed],
  ['Steps', ({ metadata }) => metadata?.steps],
  ['CFG scale', ({ metadata }) => metadata?.cfg_scale],
  ['Sampler', ({ metadata }) => metadata?.sampler],
  ['Scheduler', ({ metadata }) => metadata?.scheduler],
  ['Generator', ({ metadata }) => metadata && generatorText(metadata)],
  ['Size', ({ image }) => `${image.width} × ${image.height}`],
  ['Format', ({ image }) => image.media_type && storedExtensionOf(image.media_type).toUpperCase()],
  ['File size', ({ image }) => image.file_size && formatBytes(image.file_size)],
  ['Date', ({ image }) => formatTimestamp(image.taken_at ?? image.created_at)],
  ['File name', ({ image }) => image.file_name],
]

const TEXTS = ['Prompt', 'Negative prompt']

const lorasText = ({ loras }: NormalMetadata): string =>
  loras.map(({ name, weight }) => (weight === null ? name : `${name} (${weight})`)).join('\n')

/** Returns the properties whose values are not the same for all images. */
export function differingRows(compared: readonly Compared[]): DifferingRow[] {
  const own = new Set(compared.flatMap(({ metadata }) => Object.keys(metadata?.parameters ?? {})))
  const all = [
    ...properties,
    ...[...own].map(
      (label) => [label, (one: Compared) => one.metadata?.parameters?.[label]] as const,
    ),
  ]
  return all.flatMap(([label, read]) => {
    const values = compared.map((one) => String(read(one) ?? ''))
    const isSame = new Set(values).size < 2
    return isSame ? [] : [{ label, values, isText: TEXTS.includes(label) }]
  })
}
