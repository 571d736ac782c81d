import Type, { type Static } from 'typebox'
import { ImageCategory, ImageRecord } from '#contract/image.ts'
import { operationsOf } from '#contract/operation.ts'
import { Nullable, Timestamp } from '#contract/schema.ts'

const define = operationsOf({ tag: 'images' })

/** Path at which the installed web app receives shared files. Its service worker answers; the server refuses. */
export const SHARE_PATH = '/share'

export const uploadQuery = {
  board_id: Type.Optional(
    Type.String({ description: 'Default: uncategorized. `none` is refused' }),
  ),
  session_id: Type.Optional(Type.String()),
}

/** Refusals of an image file that a client sends. */
export const imageFileRefusals = [
  'not_an_image',
  'unreadable_image',
  'unsupported_format',
  'damaged_image',
  'too_many_pixels',
  'too_many_pages',
  'empty_file',
  'file_too_large',
] as const

export const uploadImage = define('POST', '/api/v1/images/upload', {
  operationId: 'upload_image',
  summary: 'Uploads an image. The response means that the image survives a power cut',
  query: Type.Object({
    image_category: ImageCategory,
    is_intermediate: Type.Boolean(),
    ...uploadQuery,
    crop_visible: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Crops to the non-zero pixels and re-encodes as PNG',
      }),
    ),
    upload_id: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'Chosen by the client. A repeated upload with the same ID returns the existing record',
      }),
    ),
  }),
  parts: Type.Object({
    file: Type.String({ format: 'binary' }),
    resize_to: Type.Optional(
      Type.String({ description: 'JSON {"width", "height"} in pixels. Re-encodes as PNG' }),
    ),
    metadata: Type.Optional(Type.String({ description: 'JSON object, stored in the record' })),
    taken_at: Type.Optional(
      Type.String({ description: 'Date of the file, used if its EXIF data has no date' }),
    ),
  }),
  answers: { 201: ImageRecord },
  refusals: [
    'board_not_found',
    ...imageFileRefusals,
    'invalid_multipart',
    'upload_id_taken',
    'disk_full',
    'busy',
    'invalid_resize',
    'crop_failed',
    'resize_failed',
  ],
  extensionFields: ['upload_id', 'taken_at'],
})

/** JSON of an `upload` part. It describes the `file` part that follows it (extension). */
export const BatchUploadItem = Type.Object({
  upload_id: Type.Optional(Type.String({ maxLength: 100 })),
  taken_at: Type.Optional(Timestamp),
  known_bytes: Type.Optional(
    Type.Enum(['keep', 'refuse'], {
      default: 'keep',
      description:
        'Effect if an image with the same bytes exists: refuse with `already_here`, or store it again',
    }),
  ),
})
export type BatchUploadItem = Static<typeof BatchUploadItem>

/**
 * One line of a batch upload's response: a record or a refusal, sent as soon as the file is durable.
 * `same_image` is the image with the same bytes if the refusal is `already_here`.
 */
export const BatchUploadLine = Type.Object({
  index: Type.Integer({ minimum: 0, description: 'Zero-based index of the `file` part' }),
  upload_id: Nullable(Type.String()),
  file_name: Nullable(Type.String()),
  image: Nullable(ImageRecord),
  is_repeat: Type.Boolean({
    description: 'True if the upload_id was known and `image` is the existing record',
  }),
  refusal: Nullable(
    Type.Object({
      code: Type.String(),
      status: Type.Integer(),
      detail: Type.String(),
      same_image: Type.Optional(ImageRecord),
    }),
  ),
})
export type BatchUploadLine = Static<typeof BatchUploadLine>

export const uploadImageBatch = define('POST', '/api/v1/images/upload/batch', {
  operationId: 'upload_image_batch',
  summary:
    'Uploads many images and returns a JSON line (`BatchUploadLine`) for each as soon as it is durable',
  query: Type.Object({
    image_category: Type.Optional(ImageCategory),
    is_intermediate: Type.Optional(Type.Boolean({ default: false })),
    ...uploadQuery,
  }),
  parts: Type.Object({
    upload: Type.Optional(
      Type.String({
        description: 'JSON (`BatchUploadItem`) for the next `file` part. Can be repeated',
      }),
    ),
    file: Type.String({ format: 'binary', description: 'Can be repeated' }),
  }),
  answers: { 200: BatchUploadLine },
  mediaType: 'application/x-ndjson',
  refusals: ['board_not_found', 'invalid_multipart', 'too_many_files', 'disk_full', 'busy'],
  limit: 'batch',
  extension: true,
})
