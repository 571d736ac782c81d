import Type, { type Static } from 'typebox'
import { ImageCategory, ImageRecord } from './image.ts'
import { defineOperation } from './operation.ts'
import { Nullable, Timestamp } from './schema.ts'

/**
 * Path at which the installed web app receives shared files. Its service worker answers; the server refuses.
 */
export const SHARE_PATH = '/share'

const uploadQuery = {
  board_id: Type.Optional(Type.String({ description: 'Absent: uncategorized. `none` is refused' })),
  session_id: Type.Optional(Type.String()),
}

const uploadRefusals = [
  'board_not_found',
  'not_an_image',
  'unreadable_image',
  'unsupported_format',
  'damaged_image',
  'too_many_pixels',
  'too_many_pages',
  'empty_file',
  'file_too_large',
  'invalid_multipart',
  'upload_id_taken',
  'disk_full',
  'busy',
] as const

export const uploadImage = defineOperation({
  operationId: 'upload_image',
  method: 'POST',
  path: '/api/v1/images/upload',
  summary: 'Takes in one image. Answered when it would survive a power cut',
  tag: 'images',
  query: Type.Object({
    image_category: ImageCategory,
    is_intermediate: Type.Boolean(),
    ...uploadQuery,
    crop_visible: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Crop to the pixels that are not zero; re-encodes as PNG',
      }),
    ),
    upload_id: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Made by the client; a repeat answers the record that is there',
      }),
    ),
  }),
  parts: Type.Object({
    file: Type.String({ format: 'binary' }),
    resize_to: Type.Optional(
      Type.String({ description: 'JSON: {"width", "height"} in pixels; re-encodes as PNG' }),
    ),
    metadata: Type.Optional(Type.String({ description: 'JSON: an object, kept in the record' })),
    taken_at: Type.Optional(
      Type.String({ description: "The file's own date, for files whose EXIF has none" }),
    ),
  }),
  answers: { 201: ImageRecord },
  refusals: [...uploadRefusals, 'invalid_resize', 'crop_failed', 'resize_failed'],
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
        'What happens when an image with the same bytes is there: `already_here`, or a second one',
    }),
  ),
})
export type BatchUploadItem = Static<typeof BatchUploadItem>

/**
 * One line of a batch upload's response: a record or a refusal, sent as soon as the file is durable.
 * `same_image` is the image with the same bytes if the refusal is `already_here`.
 */
export const BatchUploadLine = Type.Object({
  index: Type.Integer({ minimum: 0, description: 'Which `file` part, from 0' }),
  upload_id: Nullable(Type.String()),
  file_name: Nullable(Type.String()),
  image: Nullable(ImageRecord),
  is_repeat: Type.Boolean({ description: 'The upload_id was known: `image` is what was there' }),
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

export const uploadImageBatch = defineOperation({
  operationId: 'upload_image_batch',
  method: 'POST',
  path: '/api/v1/images/upload/batch',
  summary:
    'Takes in many images: one JSON line (`BatchUploadLine`) a file, as each becomes durable',
  tag: 'images',
  query: Type.Object({
    image_category: Type.Optional(ImageCategory),
    is_intermediate: Type.Optional(Type.Boolean({ default: false })),
    ...uploadQuery,
  }),
  parts: Type.Object({
    upload: Type.Optional(
      Type.String({
        description: 'JSON (`BatchUploadItem`) about the `file` part that follows; may be repeated',
      }),
    ),
    file: Type.String({ format: 'binary', description: 'May be repeated' }),
  }),
  answers: { 200: BatchUploadLine },
  mediaType: 'application/x-ndjson',
  refusals: ['board_not_found', 'invalid_multipart', 'too_many_files', 'disk_full', 'busy'],
  limit: 'batch',
  extension: true,
})
