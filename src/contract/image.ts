import Type, { type Static } from 'typebox'
import { Nullable, Timestamp } from './schema.ts'

/** What an image is for (wire 2.1). The specification's `USER` is `user`. */
export const ImageCategory = Type.Enum(['general', 'mask', 'control', 'user', 'other'])
export type ImageCategory = Static<typeof ImageCategory>

/** The category of an upload that names none (spec 2.3). */
export const DEFAULT_IMAGE_CATEGORY: ImageCategory = 'user'

/** Where an image came from: made by a node, or uploaded (wire 2.1). */
export const ImageOrigin = Type.Enum(['internal', 'external'])
export type ImageOrigin = Static<typeof ImageOrigin>

/** The formats that are taken in, by the media type they are served with. */
export const ImageMediaType = Type.Enum([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
  'image/tiff',
  'image/bmp',
])
export type ImageMediaType = Static<typeof ImageMediaType>

/** The file extension of each format, without the dot. */
export const extensionOf: Readonly<Record<ImageMediaType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'image/tiff': 'tiff',
  'image/bmp': 'bmp',
}

/** An image as it travels (spec 2.3, wire 2.1). The last seven fields are extensions. */
export const ImageRecord = Type.Object({
  image_name: Type.String({ description: 'To be used exactly as it stands' }),
  image_url: Type.String({ description: 'Relative to the server, without a leading slash' }),
  thumbnail_url: Type.String({ description: 'Relative to the server, without a leading slash' }),
  image_origin: ImageOrigin,
  image_category: ImageCategory,
  width: Type.Integer({ description: 'Pixels, as the image is shown (EXIF orientation applied)' }),
  height: Type.Integer({ description: 'Pixels, as the image is shown (EXIF orientation applied)' }),
  created_at: Timestamp,
  updated_at: Timestamp,
  deleted_at: Nullable(Timestamp),
  is_intermediate: Type.Boolean(),
  session_id: Nullable(Type.String()),
  node_id: Nullable(Type.String()),
  starred: Type.Boolean(),
  has_workflow: Type.Boolean({ description: 'A workflow or a graph is embedded' }),
  image_subfolder: Type.String(),
  board_id: Nullable(Type.String({ description: 'null: on no board' })),
  file_name: Nullable(Type.String({ description: 'The name under which the file was uploaded' })),
  file_size: Nullable(Type.Integer({ description: 'Bytes of the full-resolution file' })),
  media_type: Nullable(ImageMediaType),
  content_hash: Nullable(
    Type.String({ description: 'SHA-256 of the uploaded bytes, in hexadecimal' }),
  ),
  thumbhash: Nullable(Type.String({ description: 'Placeholder, base64 of at most 25 bytes' })),
  taken_at: Nullable(Timestamp),
  prompt_start: Nullable(
    Type.String({ description: 'The first 120 characters of the prompt; null: it has none' }),
  ),
})
export type ImageRecord = Static<typeof ImageRecord>

/**
 * By what a view is ordered. All but `created_at` are extensions. `taken_at` is EXIF's date, else the file's,
 * else that of arrival; `name` the name the file came with, else `image_name`, letters alike in both cases and
 * numbers by value; `size` the bytes of the full-resolution file. Among equals the one that arrived later is greater.
 */
export const ImageOrder = Type.Enum(['created_at', 'taken_at', 'name', 'size'])
export type ImageOrder = Static<typeof ImageOrder>

/** A page of images. `total` counts all that match (wire 2.4). */
export const ImagesPage = Type.Object({
  limit: Type.Integer(),
  offset: Type.Integer(),
  total: Type.Integer(),
  total_bytes: Type.Optional(
    Nullable(
      Type.Integer({
        description: 'Bytes of all full-resolution files that match; null: a search (extension)',
      }),
    ),
  ),
  items: Type.Array(ImageRecord),
})
export type ImagesPage = Static<typeof ImagesPage>

/** Every name of a view (wire 2.4). `starred_count` is 0 unless starred images come first. */
export const ImageNamesResult = Type.Object({
  image_names: Type.Array(Type.String()),
  starred_count: Type.Integer(),
  total_count: Type.Integer(),
})
export type ImageNamesResult = Static<typeof ImageNamesResult>

/** The addresses of an image (wire 2.3). */
export const ImageUrls = Type.Object({
  image_name: Type.String(),
  image_url: Type.String(),
  thumbnail_url: Type.String(),
})
export type ImageUrls = Static<typeof ImageUrls>

/** The images of one day of a view. */
export const ImageDay = Type.Object({
  day: Type.String({ description: '`YYYY-MM-DD` in the time zone asked for' }),
  count: Type.Integer({ minimum: 1 }),
})
export type ImageDay = Static<typeof ImageDay>

/**
 * How a view that is ordered by date divides into days, in its order (extension). What stands before a day is
 * `starred_count` and the counts of the days before it.
 */
export const ImageDays = Type.Object({
  starred_count: Type.Integer({
    minimum: 0,
    description: 'Starred images that stand before all days; 0 unless they come first',
  }),
  days: Type.Array(ImageDay, { description: 'Days without images are left out' }),
})
export type ImageDays = Static<typeof ImageDays>

/** What may be changed about an image (wire 2.5). Types are strict here, null leaves as it is. */
export const ImageChanges = Type.Object({
  image_category: Type.Optional(Nullable(ImageCategory)),
  session_id: Type.Optional(Nullable(Type.String())),
  is_intermediate: Type.Optional(Nullable(Type.Boolean())),
  starred: Type.Optional(Nullable(Type.Boolean())),
})
export type ImageChanges = Static<typeof ImageChanges>

/** Where an image stands in a view (extension). */
export const ImagePosition = Type.Object({
  position: Nullable(Type.Integer({ minimum: 0, description: 'From 0; null: not in this view' })),
  total: Type.Integer({ minimum: 0 }),
})
export type ImagePosition = Static<typeof ImagePosition>

const affectedBoards = Type.Array(Type.String(), {
  description: '`none` for uncategorized; each once',
})

const failedImages = Type.Array(Type.String(), {
  description: 'Images that could not be changed. Unknown names are left out',
})

/** The result of a bulk delete (spec 2.4, wire 2.6). */
export const DeleteImagesResult = Type.Object({
  affected_boards: affectedBoards,
  deleted_images: Type.Array(Type.String()),
  failed_images: Type.Array(Type.String()),
})
export type DeleteImagesResult = Static<typeof DeleteImagesResult>

export const StarredImagesResult = Type.Object({
  affected_boards: affectedBoards,
  starred_images: Type.Array(Type.String()),
  failed_images: failedImages,
})
export type StarredImagesResult = Static<typeof StarredImagesResult>

export const UnstarredImagesResult = Type.Object({
  affected_boards: affectedBoards,
  unstarred_images: Type.Array(Type.String()),
  failed_images: failedImages,
})
export type UnstarredImagesResult = Static<typeof UnstarredImagesResult>

export const AddedImagesResult = Type.Object({
  affected_boards: affectedBoards,
  added_images: Type.Array(Type.String()),
  failed_images: failedImages,
})
export type AddedImagesResult = Static<typeof AddedImagesResult>

/** A copy and the image that it was made from (extension). */
export const ImageCopy = Type.Object({
  image_name: Type.String({ description: 'The new image' }),
  copy_of: Type.String({ description: 'The image that was asked for' }),
})
export type ImageCopy = Static<typeof ImageCopy>

/** The result of a bulk copy (extension). */
export const CopiedImagesResult = Type.Object({
  affected_boards: affectedBoards,
  copied_images: Type.Array(ImageCopy, { description: 'In the order of the request' }),
  failed_images: Type.Array(Type.String()),
})
export type CopiedImagesResult = Static<typeof CopiedImagesResult>

export const RemovedImagesResult = Type.Object({
  affected_boards: affectedBoards,
  removed_images: Type.Array(Type.String()),
  failed_images: failedImages,
})
export type RemovedImagesResult = Static<typeof RemovedImagesResult>

/** Where the bytes of an image are served. On their own, so that a thread that renders records loads no schemas. */
export const imagePaths = {
  full: '/api/v1/images/i/{image_name}/full',
  thumbnail: '/api/v1/images/i/{image_name}/thumbnail',
} as const
