import { extensionOf, type ImageRecord } from '#contract/image.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import { formatBytes, formatCount } from '#gallery/ui/text/count.ts'
import { formatTimestamp } from '#gallery/ui/text/timestamp.ts'

/** One line of the details panel. */
export interface MetadataRow {
  readonly label: string
  readonly value: string
  /** What is copied, where that is not what is shown. */
  readonly copied?: string
  /** What a click on the value searches for; absent where that would find nothing. */
  readonly search?: string
}

type Value = string | number | null | undefined

const row = (label: string, value: Value, extra: Partial<MetadataRow> = {}): MetadataRow[] =>
  value === null || value === undefined || value === ''
    ? []
    : [{ label, value: String(value), ...extra }]

const searchable = (label: string, value: Value): MetadataRow[] =>
  row(label, value, { search: String(value) })

/** What was written into the picture's making: prompt and negative prompt. */
export const promptRows = (metadata: NormalMetadata): MetadataRow[] => [
  ...searchable('Prompt', metadata.prompt),
  ...searchable('Negative prompt', metadata.negative_prompt),
]

/** How it was made. What the file does not say has no row. */
export const generationRows = (metadata: NormalMetadata): MetadataRow[] => [
  ...searchable('Model', metadata.model),
  ...searchable('Seed', metadata.seed),
  ...row('Steps', metadata.steps),
  ...row('CFG scale', metadata.cfg_scale),
  ...searchable('Sampler', metadata.sampler),
  // InvokeAI knows one word for both.
  ...searchable('Scheduler', metadata.scheduler === metadata.sampler ? null : metadata.scheduler),
  ...metadata.loras.flatMap(({ name, weight }) =>
    row('LoRA', weight === null ? name : `${name} (${weight})`, { search: name }),
  ),
]

/** What kind of file it is and where it came from. */
export function fileRows(image: ImageRecord, metadata: NormalMetadata | null): MetadataRow[] {
  const bytes = image.file_size
  return [
    ...searchable('File name', image.file_name),
    ...row('Image name', image.image_name),
    ...row('Dimensions', `${image.width} × ${image.height}`),
    ...row('Format', image.media_type && extensionOf[image.media_type].toUpperCase()),
    ...row(
      'File size',
      bytes === null ? null : `${formatBytes(bytes)} (${formatCount(bytes)} bytes)`,
      bytes === null ? {} : { copied: String(bytes) },
    ),
    ...row('Taken', image.taken_at && formatTimestamp(image.taken_at)),
    ...row('Added', formatTimestamp(image.created_at)),
    ...row('Camera', metadata?.camera),
    ...row('Lens', metadata?.lens),
    ...row('Exposure', metadata?.exposure),
  ]
}

/** Words enough to find an image by its prompt, few enough for a search box. */
const MAX_SEARCH_LENGTH = 120

/**
 * The query that finds images with the same value.
 *
 * @param takesPhrases - Whether the server reads "phrases". One that looks for a substring would look for the quotes too.
 */
export function queryFor(value: string, takesPhrases: boolean): string {
  const line = value.trim().split('\n')[0] ?? ''
  const short =
    line.length <= MAX_SEARCH_LENGTH
      ? line
      : line.slice(0, MAX_SEARCH_LENGTH).replace(/\S+$/, '').trim()
  const words = short.replaceAll('"', ' ').trim()
  return takesPhrases && /\W/.test(words) ? `"${words}"` : words
}
