import { expectedType } from '#contract/downloads/converted-type.ts'
import {
  extensionOfItem,
  FileNamer,
  type NamedItem,
  type NamePattern,
} from '#contract/downloads/name-pattern.ts'
import type { ImageRecord } from '#contract/image.ts'
import { extensionsOf, type MediaType, mediaTypeOfName } from '#contract/media-types.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import { plainModelName } from '#contract/search/names.ts'
import { commonSampling } from '#contract/search/samplers.ts'
import type { DownloadForm } from './form-store.ts'

/** An image with what its name can contain. */
export interface PreviewedImage {
  readonly record: ImageRecord
  /** null: it has none. */
  readonly metadata: NormalMetadata | null
  /** null: on no board. */
  readonly boardName: string | null
}

const timeOf = (timestamp: string): number => Date.parse(`${timestamp.replace(' ', 'T')}Z`)

const mediaTypeOf = ({ media_type, image_name }: ImageRecord): MediaType =>
  media_type ?? mediaTypeOfName(image_name) ?? 'image/png'

/** Returns the values as the server stores them. */
export function namedItemOf({ record, metadata, boardName }: PreviewedImage): NamedItem {
  const { sampler = null, scheduler = null } = metadata ?? {}
  const seed = String(metadata?.seed ?? '')
  return {
    image_name: record.image_name,
    file_name: record.file_name,
    media_type: mediaTypeOf(record),
    board_name: boardName,
    dated_at: timeOf(record.taken_at ?? record.created_at),
    width: record.width,
    height: record.height,
    rating: record.rating,
    generator: record.generator,
    model: metadata?.model ? plainModelName(metadata.model) : null,
    sampler: commonSampling({ sampler, scheduler }).sampler,
    seed: /^\d{1,20}$/.test(seed) ? seed : null,
    steps: metadata?.steps ?? null,
    cfg: metadata?.cfg_scale ?? null,
  }
}

/** Returns the extension that a file will have. */
function extensionIn(form: DownloadForm, record: ImageRecord, item: NamedItem): string {
  const { format, longestSide: longestSidePx, isWithoutMetadata: withoutMetadata } = form
  const named = { ...item, is_animated: record.is_animated ?? false }
  const mediaType = expectedType(named, { format, longestSidePx, withoutMetadata })
  return mediaType === item.media_type ? extensionOfItem(item) : (extensionsOf(mediaType)[0] ?? '')
}

/** Returns the names of the first files. */
export function previewNames(
  pattern: NamePattern,
  images: readonly PreviewedImage[],
  { form, count }: { form: DownloadForm; count: number },
): string[] {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const namer = new FileNamer(pattern, { count, timeZone })
  return images.map((image) => {
    const item = namedItemOf(image)
    return namer.next(item, extensionIn(form, image.record, item))
  })
}
