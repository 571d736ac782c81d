import Type, { type Static } from 'typebox'
import { MAX_PATTERN_LENGTH } from '#contract/limits.ts'
import { operationsOf } from '#contract/operation.ts'
import { ImageNames, Nullable } from '#contract/schema.ts'

const define = operationsOf({ tag: 'images' })

const downloadBody = Type.Object({
  image_names: Type.Optional(Nullable(ImageNames)),
  board_id: Type.Optional(
    Nullable(Type.String({ description: 'Takes precedence if both are given. `none` is allowed' })),
  ),
})

/** Name under which a zip file can be downloaded once it is ready. */
export const BulkDownload = Type.Object({
  response: Nullable(Type.String()),
  bulk_download_item_name: Type.String(),
})
export type BulkDownload = Static<typeof BulkDownload>

export const downloadImages = define('POST', '/api/v1/images/download', {
  operationId: 'download_images_from_list',
  summary: 'Starts to make a zip of a board or of the named images',
  body: downloadBody,
  answers: { 202: BulkDownload },
  refusals: ['nothing_to_download', 'board_not_found', 'too_many_names'],
  limit: 'batch',
  changesNoRecord: true,
})

export const getBulkDownload = define('GET', '/api/v1/images/download/{bulk_download_item_name}', {
  operationId: 'get_bulk_download_item',
  summary: 'Returns the zip once. It is deleted after this request',
  params: Type.Object({ bulk_download_item_name: Type.String() }),
  answers: { 200: Type.String({ format: 'binary' }) },
  mediaType: 'application/zip',
  refusals: ['archive_not_found'],
})

/** Format of downloaded images (extension). `original`: as it is. */
export const DownloadFormat = Type.Enum(['original', 'jpeg', 'webp', 'avif', 'png'])
export type DownloadFormat = Static<typeof DownloadFormat>

/** Quality of a download that does not give one. */
export const DEFAULT_QUALITY = 85

export const qualityRange = { minimum: 1, maximum: 100 } as const

/** In pixels. */
export const longestSideRange = { minimum: 16, maximum: 20_000 } as const

/** The form of downloaded files (extension). Videos and animated images keep their format. */
export const DownloadOptions = Type.Object({
  names: Type.Optional(
    Type.String({
      maxLength: MAX_PATTERN_LENGTH,
      default: '{name}',
      description:
        'Pattern of the file names, such as `{board}/{date}_{name}`. `/` separates folders',
    }),
  ),
  time_zone: Type.Optional(
    Type.String({ default: 'UTC', description: 'IANA name, for dates and times in names' }),
  ),
  format: Type.Optional(DownloadFormat),
  quality: Type.Optional(
    Type.Integer({
      ...qualityRange,
      default: DEFAULT_QUALITY,
      description: 'Of JPEG, WebP and AVIF',
    }),
  ),
  longest_side: Type.Optional(
    Nullable(
      Type.Integer({
        ...longestSideRange,
        description: 'Larger images are reduced, in pixels',
      }),
    ),
  ),
  without_metadata: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Removes prompts, EXIF, XMP and hidden texts, and checks the result. Files where this fails are left out, as are videos',
    }),
  ),
  as_file: Type.Optional(
    Type.Boolean({ default: false, description: 'A single image as a file instead of a zip' }),
  ),
})
export type DownloadOptions = Static<typeof DownloadOptions>

/** A zip file, or a single file, that the server creates during the download (extension). */
export const Archive = Type.Object({
  archive_id: Type.String(),
  archive_url: Type.String({ description: 'Relative to the server, without a leading slash' }),
  file_name: Type.String(),
  image_count: Type.Integer(),
  total_bytes: Type.Integer({
    description:
      'Total size of the originals. The zip is slightly larger if they are not converted',
  }),
})
export type Archive = Static<typeof Archive>

export const createArchive = define('POST', '/api/v1/images/archives', {
  operationId: 'create_archive',
  summary:
    'Creates the address of a zip of a board or of the named images. It is valid for ten minutes',
  body: Type.Object({ ...downloadBody.properties, ...DownloadOptions.properties }),
  answers: { 201: Archive },
  refusals: [
    'nothing_to_download',
    'board_not_found',
    'too_many_names',
    'redis_down',
    'unknown_time_zone',
  ],
  limit: 'batch',
  changesNoRecord: true,
  extension: true,
})

export const getArchive = define('GET', '/api/v1/images/archives/{archive_id}', {
  operationId: 'get_archive',
  summary: 'Streams the zip or the file without writing it to disk',
  params: Type.Object({ archive_id: Type.String() }),
  answers: { 200: Type.String({ format: 'binary' }) },
  mediaType: 'application/zip',
  refusals: [
    'archive_not_found',
    'redis_down',
    'conversion_failed',
    'metadata_left',
    'original_damaged',
    'damaged_image',
    'too_many_pixels',
  ],
  extension: true,
})
