import Type, { type Static } from 'typebox'
import { ImageCategory, ImageRecord } from '#contract/image.ts'
import { UNFINISHED_UPLOAD_HOURS } from '#contract/limits.ts'
import { operationsOf } from '#contract/operation.ts'
import { BatchUploadItem, imageFileRefusals, uploadQuery } from './upload-operations.ts'

const define = operationsOf({ tag: 'images', extension: true })

/** Version of the tus protocol (https://tus.io/protocols/resumable-upload), in the header `Tus-Resumable`. */
export const TUS_VERSION = '1.0.0'

/** Media type of the bytes of a resumable upload. */
export const TUS_BYTES = 'application/offset+octet-stream'

/** Values of the header `Upload-Metadata`. */
export const ResumableUploadMetadata = Type.Object({
  filename: Type.Optional(Type.String()),
  ...uploadQuery,
  image_category: Type.Optional(ImageCategory),
  is_intermediate: Type.Optional(Type.Boolean({ default: false })),
  ...BatchUploadItem.properties,
})
export type ResumableUploadMetadata = Static<typeof ResumableUploadMetadata>

const version = { 'tus-resumable': Type.Enum([TUS_VERSION]) }
const offset = { 'upload-offset': Type.Integer({ minimum: 0 }) }

const params = Type.Object({
  upload_key: Type.String({ description: 'Last part of the `Location` of the upload' }),
})

const protocolRefusals = ['invalid_tus_request', 'tus_version', 'not_implemented'] as const

/** Refusals of the request that completes the file, besides those of an image file. */
const endRefusals = [
  'board_not_found',
  'already_here',
  'not_a_video',
  'damaged_video',
  'unsupported_video',
  'upload_id_taken',
  'disk_full',
  'busy',
] as const

export const createResumableUpload = define('POST', '/api/v1/uploads', {
  operationId: 'create_resumable_upload',
  summary:
    'Begins an upload that can go on after a break (tus 1.0), or finds it by its `upload_id`: ' +
    '`Upload-Offset` then tells the bytes that arrived. Answers 200 and the record if the file is already stored',
  headers: Type.Object({
    ...version,
    'upload-length': Type.Integer({ minimum: 0, description: 'Size of the file in bytes' }),
    'upload-metadata': Type.Optional(
      Type.String({
        description:
          'Pairs of a key and a value in Base64, separated by commas. Keys: ' +
          Object.keys(ResumableUploadMetadata.properties)
            .map((key) => `\`${key}\``)
            .join(', '),
      }),
    ),
  }),
  bytes: TUS_BYTES,
  answers: { 201: Type.Null(), 200: ImageRecord },
  refusals: [
    ...protocolRefusals,
    ...imageFileRefusals,
    ...endRefusals,
    'upload_in_use',
    'uploads_full',
  ],
})

export const getResumableUpload = define('HEAD', '/api/v1/uploads/{upload_key}', {
  operationId: 'get_resumable_upload',
  summary: 'Tells in `Upload-Offset` how many bytes of an upload arrived',
  params,
  isRead: true,
  headers: Type.Object(version),
  answers: { 200: Type.Null() },
  refusals: [...protocolRefusals, 'upload_not_found', 'upload_in_use'],
})

export const continueResumableUpload = define('PATCH', '/api/v1/uploads/{upload_key}', {
  operationId: 'continue_resumable_upload',
  summary:
    'Adds bytes to an upload. Answers 204, and after the last byte 200 and the record, like `upload_image`',
  params,
  headers: Type.Object({ ...version, ...offset }),
  bytes: TUS_BYTES,
  answers: { 200: ImageRecord, 204: Type.Null() },
  refusals: [
    ...protocolRefusals,
    'upload_not_found',
    'upload_in_use',
    'wrong_offset',
    'upload_cut_off',
    ...imageFileRefusals,
    ...endRefusals,
  ],
})

export const discardResumableUpload = define('DELETE', '/api/v1/uploads/{upload_key}', {
  operationId: 'discard_resumable_upload',
  summary: `Deletes an unfinished upload. Otherwise it is deleted ${UNFINISHED_UPLOAD_HOURS} hours after its last byte`,
  params,
  headers: Type.Object(version),
  answers: { 204: Type.Null() },
  refusals: [...protocolRefusals, 'upload_not_found', 'upload_in_use'],
})

export const describeResumableUploads = define('OPTIONS', '/api/v1/uploads', {
  operationId: 'describe_resumable_uploads',
  summary:
    'Tells the version and extensions of tus in the headers `Tus-Version` and `Tus-Extension`',
  isRead: true,
  answers: { 204: Type.Null() },
  refusals: ['not_implemented'],
})
