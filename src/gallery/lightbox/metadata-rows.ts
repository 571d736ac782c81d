import type { ImageRecord } from '#contract/image.ts'
import { storedExtensionOf } from '#contract/media-types.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import type { SearchKey } from '#contract/search/search-keys.ts'
import { generatorText } from '#gallery/api/images/generator-text.ts'
import { formatBytes, formatCount } from '#gallery/ui/text/count.ts'
import { formatDuration } from '#gallery/ui/text/duration.ts'
import { formatTimestamp, localDay } from '#gallery/ui/text/timestamp.ts'
import { codecName } from '#gallery/ui/video/codecs.ts'
import { conditionFor } from '#gallery/url/typed-conditions.ts'

export interface MetadataRow {
  readonly label: string
  readonly value: string
  /** The text to copy if it differs from the shown value. */
  readonly copied?: string
  /** The text that a click searches for; absent if a search would find nothing. */
  readonly search?: string
  /** The condition that finds images with the same value. Absent: searches do not compare this property. */
  readonly condition?: string
}

type Value = string | number | null | undefined

const row = (label: string, value: Value, extra: Partial<MetadataRow> = {}): MetadataRow[] =>
  value === null || value === undefined || value === ''
    ? []
    : [{ label, value: String(value), ...extra }]

const searchable = (label: string, value: Value): MetadataRow[] =>
  row(label, value, { search: String(value) })

/** A value whose condition may need another form of it. */
const conditional = (
  key: SearchKey,
  label: string,
  value: Value,
  { wanted = value, ...extra }: Partial<MetadataRow> & { wanted?: Value } = {},
): MetadataRow[] => {
  const condition = conditionFor(key, wanted)
  return row(label, value, { ...extra, ...(condition !== undefined && { condition }) })
}

/** The texts of a workflow take the place of a prompt that was not found. */
export const promptRows = (metadata: NormalMetadata): MetadataRow[] => [
  ...searchable('Prompt', metadata.prompt),
  ...searchable('Negative prompt', metadata.negative_prompt),
  ...(metadata.characters ?? []).flatMap(({ prompt, negative_prompt }, at) => [
    ...searchable(`Character ${at + 1}`, prompt),
    ...searchable(`Negative prompt of character ${at + 1}`, negative_prompt),
  ]),
  ...(metadata.prompt === null && metadata.texts?.length
    ? searchable('Texts in the workflow', metadata.texts.join('\n\n'))
    : []),
]

/** Returns the program that made the image. A camera is in the rows of the file. */
export const makerRows = (metadata: NormalMetadata): MetadataRow[] => [
  ...conditional('generator', 'Generator', generatorText(metadata), { wanted: metadata.generator }),
  ...row('Origin', sourceText(metadata.source_type)),
]

/** Terms of the IPTC for the digital source type. */
const sources: Readonly<Record<string, string>> = {
  trainedAlgorithmicMedia: 'Made with AI',
  compositeWithTrainedAlgorithmicMedia: 'Edited with AI',
  compositeSynthetic: 'Contains synthetic parts',
  algorithmicMedia: 'Made by a program without AI',
  algorithmicallyEnhanced: 'Improved by a program',
  digitalCapture: 'Photographed',
  computationalCapture: 'Photographed, computed from several pictures',
  digitalCreation: 'Drawn by a person',
  humanEdits: 'Edited by a person',
  screenCapture: 'Screenshot',
}

export const sourceText = (type: string | null | undefined): string | null => {
  if (type === null || type === undefined) return null
  const term = type.slice(type.lastIndexOf('/') + 1)
  return Object.hasOwn(sources, term) ? (sources[term] ?? term) : term
}

/** One line for each of several samplings. A single one is in the parameters. */
export const passRows = ({ passes = [] }: NormalMetadata): MetadataRow[] =>
  passes.length < 2
    ? []
    : passes.flatMap(({ steps, cfg_scale, sampler, scheduler, denoise, seed, model }, at) => {
        const facts = [
          steps !== null && `${steps} ${steps === 1 ? 'step' : 'steps'}`,
          cfg_scale !== null && `CFG ${cfg_scale}`,
          sampler,
          scheduler,
          denoise !== null && `denoise ${denoise}`,
          seed !== null && `seed ${seed}`,
          model,
        ]
        return row(`Pass ${at + 1}`, facts.filter(Boolean).join(' · '))
      })

/** A value that a server without conditions searches for as a text. */
const named = (key: SearchKey, label: string, name: Value, value: Value = name): MetadataRow[] =>
  conditional(key, label, value, { search: String(name), wanted: name })

/** Names that may be long, with a line each. */
export const modelRows = (metadata: NormalMetadata): MetadataRow[] => [
  ...named('model', 'Model', metadata.model),
  ...metadata.loras.flatMap(({ name, weight }) =>
    named('lora', 'LoRA', name, weight === null ? name : `${name} (${weight})`),
  ),
]

/** Mostly short values, which share lines. */
export const parameterRows = (metadata: NormalMetadata): MetadataRow[] => [
  ...named('seed', 'Seed', metadata.seed),
  ...conditional('steps', 'Steps', metadata.steps),
  ...conditional('cfg', 'CFG scale', metadata.cfg_scale),
  ...named('sampler', 'Sampler', metadata.sampler),
  // InvokeAI has a single value for both.
  ...named(
    'scheduler',
    'Scheduler',
    metadata.scheduler === metadata.sampler ? null : metadata.scheduler,
  ),
  ...Object.entries(metadata.parameters ?? {}).flatMap(([label, value]) => row(label, value)),
]

/** The longest value and label that fit into half a line of the panel, next to the button that copies. */
const MAX_VALUE = 13
const MAX_LABEL = 16

/** Returns true if two such rows share a line. */
export const isShort = ({ label, value }: MetadataRow): boolean =>
  value.length <= MAX_VALUE && label.length <= MAX_LABEL

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
    ...row('Dimensions', `${image.width} × ${image.height}`, {
      condition: `size:${image.width}x${image.height}`,
    }),
    ...formatRow(image),
    ...row(
      'File size',
      bytes === null ? null : `${formatBytes(bytes)} (${formatCount(bytes)} bytes)`,
      bytes === null ? {} : { copied: String(bytes) },
    ),
    ...videoRows(image),
    ...dateRow('on', 'Taken', image.taken_at),
    ...dateRow('added', 'Added', image.created_at),
    ...conditional('camera', 'Camera', metadata?.camera),
    ...conditional('lens', 'Lens', metadata?.lens),
    ...row('Exposure', metadata?.exposure),
  ]
}

function formatRow({ media_type: mediaType }: ImageRecord): MetadataRow[] {
  if (!mediaType) return []
  const extension = storedExtensionOf(mediaType)
  return row('Format', extension.toUpperCase(), { condition: `type:${extension}` })
}

const dateRow = (key: 'on' | 'added', label: string, timestamp: string | null | undefined) =>
  timestamp
    ? row(label, formatTimestamp(timestamp), { condition: `${key}:${localDay(timestamp)}` })
    : []

function videoRows({ video, file_size }: ImageRecord): MetadataRow[] {
  if (!video) return []
  const { duration, fps, codec, has_sound } = video
  const bitsPerS = file_size === null || duration === 0 ? null : (file_size * 8) / duration
  return [
    ...row('Duration', formatDuration(duration), { copied: String(duration) }),
    ...row('Codec', codec && codecName(codec)),
    ...row('Frame rate', fps && `${Math.round(fps * 100) / 100} fps`),
    ...row('Sound', has_sound === null ? null : has_sound ? 'Yes' : 'No'),
    ...row('Bit rate', bitsPerS && formatBitRate(bitsPerS)),
  ]
}

const formatBitRate = (bitsPerS: number): string =>
  bitsPerS < 1e6 ? `${Math.round(bitsPerS / 1e3)} kbit/s` : `${(bitsPerS / 1e6).toFixed(1)} Mbit/s`

/** Returns rows as text, a line each. */
export const textOf = (rows: readonly MetadataRow[]): string =>
  rows.map(({ label, value }) => `${label}: ${value}`).join('\n')
