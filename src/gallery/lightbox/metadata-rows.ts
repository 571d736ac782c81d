import type { ImageRecord } from '#contract/image.ts'
import { extensionOf } from '#contract/image-formats.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import { formatBytes, formatCount } from '#gallery/ui/text/count.ts'
import { formatTimestamp } from '#gallery/ui/text/timestamp.ts'

export interface MetadataRow {
  readonly label: string
  readonly value: string
  /** The text to copy if it differs from the shown value. */
  readonly copied?: string
  /** The text that a click searches for; absent if a search would find nothing. */
  readonly search?: string
}

type Value = string | number | null | undefined

const row = (label: string, value: Value, extra: Partial<MetadataRow> = {}): MetadataRow[] =>
  value === null || value === undefined || value === ''
    ? []
    : [{ label, value: String(value), ...extra }]

const searchable = (label: string, value: Value): MetadataRow[] =>
  row(label, value, { search: String(value) })

export const promptRows = (metadata: NormalMetadata): MetadataRow[] => [
  ...searchable('Prompt', metadata.prompt),
  ...searchable('Negative prompt', metadata.negative_prompt),
]

/** Names that may be long, with a line each. */
export const modelRows = (metadata: NormalMetadata): MetadataRow[] => [
  ...searchable('Model', metadata.model),
  ...metadata.loras.flatMap(({ name, weight }) =>
    row('LoRA', weight === null ? name : `${name} (${weight})`, { search: name }),
  ),
]

/** Short values, which share lines. */
export const parameterRows = (metadata: NormalMetadata): MetadataRow[] => [
  ...searchable('Seed', metadata.seed),
  ...row('Steps', metadata.steps),
  ...row('CFG scale', metadata.cfg_scale),
  ...searchable('Sampler', metadata.sampler),
  // InvokeAI has a single value for both.
  ...searchable('Scheduler', metadata.scheduler === metadata.sampler ? null : metadata.scheduler),
]

/** Returns where an image in the trash comes from, and how long it stays there. */
export const trashRows = (
  { deleted_at }: ImageRecord,
  { origin, timeLeft }: { readonly origin: string; readonly timeLeft: string },
): MetadataRow[] => [
  ...row('Original board', origin),
  ...row('Deleted', deleted_at && formatTimestamp(deleted_at)),
  ...row('Time left', timeLeft),
]

/** @param boardName - undefined: the board is unknown, or the image is in the trash. */
export function fileRows(
  image: ImageRecord,
  metadata: NormalMetadata | null,
  boardName: string | undefined,
): MetadataRow[] {
  const bytes = image.file_size
  return [
    ...searchable('File name', image.file_name),
    ...row('Board', boardName),
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

/** Returns rows as text, a line each. */
export const textOf = (rows: readonly MetadataRow[]): string =>
  rows.map(({ label, value }) => `${label}: ${value}`).join('\n')
