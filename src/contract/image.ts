import Type, { type Static } from 'typebox'
import { imageMediaTypes } from './image-formats.ts'
import { MAX_RATING } from './limits.ts'
import { ImageGenerator } from './metadata.ts'
import { Nullable, Timestamp } from './schema.ts'
import { VideoDetails, VideoMediaType } from './videos/video-details.ts'

/** Category of an image. The specification's `USER` is `user`. */
export const ImageCategory = Type.Enum(['general', 'mask', 'control', 'user', 'other'])
export type ImageCategory = Static<typeof ImageCategory>

/** Category of an upload without a category. */
export const DEFAULT_IMAGE_CATEGORY: ImageCategory = 'user'

/** Origin of an image: `internal` if a node created it, `external` if it was uploaded. */
export const ImageOrigin = Type.Enum(['internal', 'external'])
export type ImageOrigin = Static<typeof ImageOrigin>

/** Accepted image formats, by the media type of their responses. */
export const ImageMediaType = Type.Enum(imageMediaTypes)
export type ImageMediaType = Static<typeof ImageMediaType>

/** Fields that the records of images and videos share. */
export const itemFields = {
  created_at: Timestamp,
  updated_at: Timestamp,
  deleted_at: Nullable(Timestamp),
  is_intermediate: Type.Boolean(),
  session_id: Nullable(Type.String()),
  node_id: Nullable(Type.String()),
  starred: Type.Boolean(),
  has_workflow: Type.Boolean({ description: 'True if a workflow or a graph is embedded' }),
  board_id: Nullable(Type.String({ description: 'null if it is on no board' })),
}

/** The rating of an image or a video (extension). */
export const Rating = Type.Integer({
  minimum: 0,
  maximum: MAX_RATING,
  description: '1 to 5. 0: not rated',
})

/** Extension fields that the records of images and videos share. */
export const itemExtensions = {
  file_name: Nullable(Type.String({ description: 'Name of the uploaded file' })),
  file_size: Nullable(Type.Integer({ description: 'Size of the uploaded file in bytes' })),
  content_hash: Nullable(
    Type.String({ description: 'SHA-256 of the uploaded bytes in hexadecimal' }),
  ),
  rating: Rating,
  tags: Type.Array(Type.String(), { description: 'Names of the tags in order' }),
}

/** Kinds of items that a list contains (extension). */
export const ItemKind = Type.Enum(['image', 'video', 'all'])
export type ItemKind = Static<typeof ItemKind>

/**
 * An image, or a video where a request asks for videos too (`kind`). The fields of {@link noImageExtensions} are
 * extensions. Fields that the server does not know are null.
 */
export const ImageRecord = Type.Object({
  image_name: Type.String({ description: 'Use it exactly as returned' }),
  image_url: Type.String({ description: 'Relative to the server, without a leading slash' }),
  thumbnail_url: Type.String({ description: 'Relative to the server, without a leading slash' }),
  image_origin: ImageOrigin,
  image_category: ImageCategory,
  width: Type.Integer({ description: 'In pixels, after the EXIF orientation is applied' }),
  height: Type.Integer({ description: 'In pixels, after the EXIF orientation is applied' }),
  ...itemFields,
  image_subfolder: Type.String(),
  ...itemExtensions,
  media_type: Nullable(Type.Union([ImageMediaType, VideoMediaType])),
  thumbhash: Nullable(
    Type.String({ description: 'Placeholder (ThumbHash), base64 of at most 25 bytes' }),
  ),
  taken_at: Nullable(Timestamp),
  prompt_start: Nullable(
    Type.String({ description: 'The first 120 characters of the prompt. null without a prompt' }),
  ),
  is_animated: Nullable(
    Type.Boolean({ description: 'True if the file has several frames. null if not known' }),
  ),
  generator: Nullable(ImageGenerator),
  video: Nullable(VideoDetails),
})
export type ImageRecord = Static<typeof ImageRecord>

/** The extension fields of an image whose server does not send them, such as an InvokeAI. */
export const noImageExtensions = {
  file_name: null,
  file_size: null,
  media_type: null,
  content_hash: null,
  rating: 0,
  tags: [] as string[],
  thumbhash: null,
  taken_at: null,
  prompt_start: null,
  is_animated: null,
  generator: null,
  video: null,
} satisfies Partial<ImageRecord>

/**
 * Sort key of a view. All but `created_at` are extensions. `taken_at` is the EXIF date, else the date of the
 * file, else `created_at`. `name` is the original file name, else `image_name`; it ignores case and compares
 * numbers by value. `size` is the size of the full-resolution file in bytes. Ties are broken by the time when
 * the image was added. `duration` is the length of a video: the longest ones come first, and images come after all
 * videos, in the order of `created_at`.
 */
export const ImageOrder = Type.Enum([
  'created_at',
  'taken_at',
  'name',
  'size',
  'duration',
  'steps',
  'cfg',
  'width',
  'height',
  'rating',
  'relevance',
])
export type ImageOrder = Static<typeof ImageOrder>

/** A page of images. `total` counts all matching images. */
export const ImagesPage = Type.Object({
  limit: Type.Integer(),
  offset: Type.Integer(),
  total: Type.Integer(),
  video_total: Type.Optional(
    Nullable(
      Type.Integer({
        description: 'Videos among `total`. Only with `kind=all`; null for a search',
      }),
    ),
  ),
  total_bytes: Type.Optional(
    Nullable(
      Type.Integer({
        description: 'Size of all matching full-resolution files in bytes. null for a search',
      }),
    ),
  ),
  items: Type.Array(ImageRecord),
})
export type ImagesPage = Static<typeof ImagesPage>

/** All image names of a view. `starred_count` is 0 unless starred images come first. */
export const ImageNamesResult = Type.Object({
  image_names: Type.Array(Type.String()),
  starred_count: Type.Integer(),
  total_count: Type.Integer(),
})
export type ImageNamesResult = Static<typeof ImageNamesResult>

/** URLs of an image. */
export const ImageUrls = Type.Object({
  image_name: Type.String(),
  image_url: Type.String(),
  thumbnail_url: Type.String(),
})
export type ImageUrls = Static<typeof ImageUrls>

/** One day of a view and the number of its images. */
export const ImageDay = Type.Object({
  day: Type.String({ description: '`YYYY-MM-DD` in the requested time zone' }),
  count: Type.Integer({ minimum: 1 }),
})
export type ImageDay = Static<typeof ImageDay>

/** The days of a view by date, in its order (extension). A day begins at `starred_count` plus all earlier counts. */
export const ImageDays = Type.Object({
  starred_count: Type.Integer({
    minimum: 0,
    description: 'Starred images before all days. 0 unless starred images come first',
  }),
  days: Type.Array(ImageDay, { description: 'Days without images are omitted' }),
})
export type ImageDays = Static<typeof ImageDays>

/** Changes to an image. Values are not coerced. Null leaves a property unchanged. */
export const ImageChanges = Type.Object({
  image_category: Type.Optional(Nullable(ImageCategory)),
  session_id: Type.Optional(Nullable(Type.String())),
  is_intermediate: Type.Optional(Nullable(Type.Boolean())),
  starred: Type.Optional(Nullable(Type.Boolean())),
})
export type ImageChanges = Static<typeof ImageChanges>

/** Position of an image in a view (extension). */
export const ImagePosition = Type.Object({
  position: Nullable(
    Type.Integer({ minimum: 0, description: 'Zero-based. null if the image is not in this view' }),
  ),
  total: Type.Integer({ minimum: 0 }),
})
export type ImagePosition = Static<typeof ImagePosition>

/** Boards that a bulk request changed. */
export const affectedBoards = Type.Array(Type.String(), {
  description: 'Each board once. `none` for uncategorized',
})

const failedImages = Type.Array(Type.String(), {
  description: 'Images that could not be changed. Unknown names are omitted',
})

/** Result of a bulk delete. */
export const DeleteImagesResult = Type.Object({
  affected_boards: affectedBoards,
  deleted_images: Type.Array(Type.String()),
  failed_images: Type.Array(Type.String()),
})
export type DeleteImagesResult = Static<typeof DeleteImagesResult>

/** Result of starring images. */
export const StarredImagesResult = Type.Object({
  affected_boards: affectedBoards,
  starred_images: Type.Array(Type.String()),
  failed_images: failedImages,
})
export type StarredImagesResult = Static<typeof StarredImagesResult>

/** Result of removing the star from images. */
export const UnstarredImagesResult = Type.Object({
  affected_boards: affectedBoards,
  unstarred_images: Type.Array(Type.String()),
  failed_images: failedImages,
})
export type UnstarredImagesResult = Static<typeof UnstarredImagesResult>

/** Result of rating images (extension). */
export const RatedImagesResult = Type.Object({
  affected_boards: affectedBoards,
  rated_images: Type.Array(Type.String(), { description: 'Images whose rating changed' }),
  previous: Type.Array(Type.Object({ rating: Rating, image_names: Type.Array(Type.String()) }), {
    description: 'The ratings that they had before, for an undo',
  }),
})
export type RatedImagesResult = Static<typeof RatedImagesResult>

/** A tag that was added to images or removed from them. */
export const TaggedImages = Type.Object({
  tag: Type.String(),
  image_names: Type.Array(Type.String()),
})
export type TaggedImages = Static<typeof TaggedImages>

/** Result of tagging images (extension). It has only what changed, so the reverse request undoes it. */
export const TaggedImagesResult = Type.Object({
  affected_boards: affectedBoards,
  added: Type.Array(TaggedImages),
  removed: Type.Array(TaggedImages),
})
export type TaggedImagesResult = Static<typeof TaggedImagesResult>

export const AddedImagesResult = Type.Object({
  affected_boards: affectedBoards,
  added_images: Type.Array(Type.String()),
  failed_images: failedImages,
})
export type AddedImagesResult = Static<typeof AddedImagesResult>

/** Names of a copy and of its original (extension). */
export const ImageCopy = Type.Object({
  image_name: Type.String({ description: 'The new image' }),
  copy_of: Type.String({ description: 'The requested image' }),
})
export type ImageCopy = Static<typeof ImageCopy>

/** Result of a bulk copy (extension). */
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
