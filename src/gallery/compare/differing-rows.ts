import type { ImageRecord } from '#contract/image.ts'
import { storedExtensionOf } from '#contract/media-types.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import type { SearchKey } from '#contract/search/search-keys.ts'
import { generatorText } from '#gallery/api/images/generator-text.ts'
import { countOf, formatBytes } from '#gallery/ui/text/count.ts'
import { formatTimestamp } from '#gallery/ui/text/timestamp.ts'
import { conditionFor } from '#gallery/url/typed-conditions.ts'

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
  /** The condition that finds images with the value, for each image. undefined: searches do not compare it. */
  readonly conditions: readonly (string | undefined)[]
  /** True for texts, which are compared word by word. */
  readonly isText: boolean
}

type Value = string | number | null | undefined

type Property = readonly [label: string, read: (one: Compared) => Value, find?: Find]

/** Returns the condition that finds images with the same value. */
type Find = (one: Compared) => string | undefined

/** A property whose shown value is compared by searches. */
const compared = (
  label: string,
  key: SearchKey,
  read: (metadata: NormalMetadata) => Value,
): Property => {
  const readValue = ({ metadata }: Compared) => metadata && read(metadata)
  return [label, readValue, (one) => conditionFor(key, readValue(one))]
}

const formatOf = ({ image }: Compared) => image.media_type && storedExtensionOf(image.media_type)

/** Returns the search for images that have all these LoRAs or tags. undefined: no name can be searched. */
const withAll = (key: 'lora' | 'tag', names: readonly string[] = []): string | undefined =>
  names.flatMap((name) => conditionFor(key, name) ?? []).join(' ') || undefined

const properties: readonly Property[] = [
  ['Prompt', ({ metadata }) => metadata?.prompt],
  ['Negative prompt', ({ metadata }) => metadata?.negative_prompt],
  compared('Model', 'model', ({ model }) => model),
  [
    'LoRAs',
    ({ metadata }) => metadata && lorasText(metadata),
    ({ metadata }) =>
      withAll(
        'lora',
        metadata?.loras.map(({ name }) => name),
      ),
  ],
  compared('Seed', 'seed', ({ seed }) => seed),
  compared('Steps', 'steps', ({ steps }) => steps),
  compared('CFG scale', 'cfg', ({ cfg_scale }) => cfg_scale),
  compared('Sampler', 'sampler', ({ sampler }) => sampler),
  compared('Scheduler', 'scheduler', ({ scheduler }) => scheduler),
  [
    'Generator',
    ({ metadata }) => metadata && generatorText(metadata),
    ({ metadata }) => conditionFor('generator', metadata?.generator),
  ],
  [
    'Size',
    ({ image }) => `${image.width} × ${image.height}`,
    ({ image }) => `size:${image.width}x${image.height}`,
  ],
  [
    'Format',
    (one) => formatOf(one)?.toUpperCase(),
    (one) => {
      const format = formatOf(one)
      return format ? `type:${format}` : undefined
    },
  ],
  ['File size', ({ image }) => image.file_size && formatBytes(image.file_size)],
  ['Date', ({ image }) => formatTimestamp(image.taken_at ?? image.created_at)],
  ['File name', ({ image }) => image.file_name],
  ['Rating', ({ image }) => ratingText(image), ({ image }) => conditionFor('rating', image.rating)],
  ['Tags', ({ image }) => image.tags.join('\n'), ({ image }) => withAll('tag', image.tags)],
]

const TEXTS = ['Prompt', 'Negative prompt']

const lorasText = ({ loras }: NormalMetadata): string =>
  loras.map(({ name, weight }) => (weight === null ? name : `${name} (${weight})`)).join('\n')

const ratingText = ({ rating }: ImageRecord): string =>
  rating === 0 ? 'Not rated' : countOf(rating, 'star')

/** Returns the properties whose values are not the same for all images. */
export function differingRows(images: readonly Compared[]): DifferingRow[] {
  const own = new Set(images.flatMap(({ metadata }) => Object.keys(metadata?.parameters ?? {})))
  const all: readonly Property[] = [
    ...properties,
    ...[...own].map((label): Property => [label, ({ metadata }) => metadata?.parameters?.[label]]),
  ]
  return all.flatMap(([label, read, find]) => {
    const values = images.map((one) => String(read(one) ?? ''))
    if (new Set(values).size < 2) return []
    const conditions = images.map((one) => find?.(one))
    return [{ label, values, conditions, isText: TEXTS.includes(label) }]
  })
}
