import Type, { type Static } from 'typebox'
import { operationsOf } from './operation.ts'
import { ImageNames, Nullable } from './schema.ts'

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

/** A zip file that the server creates during the download (extension). */
export const Archive = Type.Object({
  archive_id: Type.String(),
  archive_url: Type.String({ description: 'Relative to the server, without a leading slash' }),
  file_name: Type.String(),
  image_count: Type.Integer(),
  total_bytes: Type.Integer({
    description: 'Total size of the images. The zip is slightly larger',
  }),
})
export type Archive = Static<typeof Archive>

export const createArchive = define('POST', '/api/v1/images/archives', {
  operationId: 'create_archive',
  summary:
    'Creates the address of a zip of a board or of the named images. It is valid for ten minutes',
  body: downloadBody,
  answers: { 201: Archive },
  refusals: ['nothing_to_download', 'board_not_found', 'too_many_names', 'redis_down'],
  limit: 'batch',
  changesNoRecord: true,
  extension: true,
})

export const getArchive = define('GET', '/api/v1/images/archives/{archive_id}', {
  operationId: 'get_archive',
  summary: 'Streams the zip without writing it to disk',
  params: Type.Object({ archive_id: Type.String() }),
  answers: { 200: Type.String({ format: 'binary' }) },
  mediaType: 'application/zip',
  refusals: ['archive_not_found', 'redis_down'],
  extension: true,
})
