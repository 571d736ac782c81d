import Type from 'typebox'
import {
  AddedImagesResult,
  CopiedImagesResult,
  DeleteImagesResult,
  ImageChanges,
  ImageDays,
  ImageNamesResult,
  ImageOrder,
  ImagePosition,
  ImageRecord,
  ImagesPage,
  ImageUrls,
  ItemKind,
  RatedImagesResult,
  Rating,
  RemovedImagesResult,
  StarredImagesResult,
  TaggedImagesResult,
  UnstarredImagesResult,
} from './image.ts'
import { filterQuery } from './image-filter.ts'
import { ImageRatios } from './image-ratios.ts'
import { imagePaths } from './image-urls.ts'
import {
  DEFAULT_PAGE_LIMIT,
  MAX_METADATA_NAMES,
  MAX_QUERY_LENGTH,
  MAX_TAGS_PER_REQUEST,
  THUMBNAIL_SIZES,
} from './limits.ts'
import { ImageWorkflow, NamedMetadata, NormalMetadata } from './metadata.ts'
import { operationsOf } from './operation.ts'
import { ImageNames, Nullable } from './schema.ts'
import { FacetKey, ImageFacets, MAX_FACET_VALUES } from './search/facets.ts'
import { ImageInsights, InsightKey, MAX_INSIGHT_VALUES } from './search/insights.ts'
import { TagName } from './search/tags.ts'

const define = operationsOf({ tag: 'images' })

const imageParams = Type.Object({ image_name: Type.String() })
const namesBody = Type.Object({ image_names: ImageNames })
/** Without `kind`, the names of videos are unknown, as in InvokeAI. */
const kindQuery = Type.Object({ kind: Type.Optional(ItemKind) })
const kindExtension = ['kind'] as const

const defineForImage = operationsOf({
  tag: 'images',
  params: imageParams,
  refusals: ['image_not_found'],
})
const defineForNames = operationsOf({
  tag: 'images',
  query: kindQuery,
  body: namesBody,
  refusals: ['too_many_names'],
  limit: 'batch',
  extensionFields: kindExtension,
})
const defineForBoards = operationsOf({ tag: 'boards' })

/** Query keys that filter and order the images of a view. */
export const viewQuery = {
  ...filterQuery,
  board_id: Type.Optional(
    Type.String({ description: 'Default: all boards. `none` for uncategorized images' }),
  ),
  order_by: Type.Optional(Type.Enum([...ImageOrder.enum], { default: 'created_at' })),
  order_dir: Type.Optional(Type.Enum(['ASC', 'DESC'], { default: 'DESC' })),
  starred_first: Type.Optional(Type.Boolean({ default: true })),
  search_term: Type.Optional(
    Type.String({
      description: 'A substring of the metadata text or of created_at; `%` and `_` are wildcards',
    }),
  ),
  query: Type.Optional(
    Type.String({
      maxLength: MAX_QUERY_LENGTH,
      description:
        'Words and "phrases" that prompt, negative prompt, parameters, file name or board name contain, and conditions such as `model:flux`, `steps>20` or `-is:starred`. Days are in UTC',
    }),
  ),
}

/** Keys of {@link viewQuery} that InvokeAI does not have. */
export const viewExtensions = [
  'order_by',
  'query',
  'starred',
  'kind',
  'min_duration',
  'max_duration',
] as const

export const listImages = define('GET', '/api/v1/images/', {
  operationId: 'list_image_dtos',
  summary: 'Returns a page of images by position',
  query: Type.Object({
    ...viewQuery,
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
    limit: Type.Optional(
      Type.Integer({
        minimum: -1,
        default: DEFAULT_PAGE_LIMIT,
        description: '0 returns only the count, -1 all images',
      }),
    ),
    after: Type.Optional(
      Type.String({ description: 'The image before the page. Replaces `offset`' }),
    ),
  }),
  answers: { 200: ImagesPage },
  refusals: ['image_not_found'],
  extensionFields: [...viewExtensions, 'after'],
})

export const listImageNames = define('GET', '/api/v1/images/names', {
  operationId: 'get_image_names',
  summary: 'Lists all names of a view',
  query: Type.Object(viewQuery),
  answers: { 200: ImageNamesResult },
  extensionFields: viewExtensions,
})

export const listImageDays = define('GET', '/api/v1/images/days', {
  operationId: 'list_image_days',
  summary: 'Counts the images of a view by day, in the order of the view',
  query: Type.Object({
    ...viewQuery,
    // Only in these orders are the images of a day contiguous.
    order_by: Type.Optional(Type.Enum(['created_at', 'taken_at'], { default: 'created_at' })),
    time_zone: Type.Optional(
      Type.String({
        default: 'UTC',
        description: 'IANA name of the time zone that defines the days',
        examples: ['Europe/Berlin'],
      }),
    ),
  }),
  answers: { 200: ImageDays },
  refusals: ['unknown_time_zone'],
  extension: true,
})

export const listImageRatios = define('GET', '/api/v1/images/ratios', {
  operationId: 'list_image_ratios',
  summary: 'Sums the proportions of the images of a view, in the order of the view',
  query: Type.Object({
    ...viewQuery,
    time_zone: Type.Optional(
      Type.String({
        description:
          'IANA name of a time zone. Divides a view that is ordered by date into its days; other orders ignore it',
        examples: ['Europe/Berlin'],
      }),
    ),
  }),
  answers: { 200: ImageRatios },
  refusals: ['unknown_time_zone'],
  extension: true,
})

export const listImageFacets = define('GET', '/api/v1/images/facets', {
  operationId: 'list_image_facets',
  summary: 'Counts the values of properties of the images of a view, such as their models',
  description:
    'Conditions of `query` on a property do not limit its own values, so that alternatives keep their counts, unless `alternatives` is false.',
  query: Type.Object({
    ...viewQuery,
    facets: Type.Array(FacetKey),
    alternatives: Type.Optional(
      Type.Boolean({ default: true, description: 'False counts only images of the view' }),
    ),
    text: Type.Optional(
      Type.String({ maxLength: 200, description: 'Only values that contain this text' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_FACET_VALUES, default: 20 })),
    time_zone: Type.Optional(
      Type.String({
        default: 'UTC',
        description: 'IANA name of the time zone that defines the months',
        examples: ['Europe/Berlin'],
      }),
    ),
  }),
  answers: { 200: ImageFacets },
  refusals: ['unknown_time_zone'],
  extension: true,
})

export const listImageInsights = define('GET', '/api/v1/images/insights', {
  operationId: 'list_image_insights',
  summary: 'Sums up the images of a view: their storage, words of prompts, and seeds used again',
  query: Type.Object({
    ...viewQuery,
    insights: Type.Array(InsightKey),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_INSIGHT_VALUES, default: 20 })),
  }),
  answers: { 200: ImageInsights },
  extension: true,
})

export const getImagePosition = defineForImage('GET', '/api/v1/images/i/{image_name}/position', {
  operationId: 'get_image_position',
  summary: 'Returns the position of an image in a view',
  query: Type.Object(viewQuery),
  answers: { 200: ImagePosition },
  extension: true,
})

export const listImagesByNames = define('POST', '/api/v1/images/images_by_names', {
  operationId: 'get_images_by_names',
  isRead: true,
  summary:
    'Returns the records of the named images in the order of the request. Unknown names are omitted',
  query: kindQuery,
  body: namesBody,
  answers: { 200: Type.Array(ImageRecord) },
  refusals: ['too_many_names'],
  extensionFields: kindExtension,
})

export const listImageMetadata = define('POST', '/api/v1/images/metadata_by_names', {
  operationId: 'list_image_metadata',
  isRead: true,
  summary:
    'Returns the metadata of the named images with an empty `raw`. Unknown names are omitted',
  body: Type.Object({ image_names: Type.Array(Type.String(), { maxItems: MAX_METADATA_NAMES }) }),
  answers: { 200: Type.Array(NamedMetadata) },
  extension: true,
})

export const getImage = defineForImage('GET', '/api/v1/images/i/{image_name}', {
  operationId: 'get_image_dto',
  summary: 'Returns the record of an image',
  query: kindQuery,
  answers: { 200: ImageRecord },
  extensionFields: kindExtension,
})

const bytes = Type.String({ format: 'binary' })

export const downloadQuery = Type.Object({
  download: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Sends the file as an attachment with its uploaded name',
    }),
  ),
})

export const thumbnailQuery = Type.Object({
  size: Type.Optional(
    Type.Integer({
      enum: [...THUMBNAIL_SIZES],
      default: THUMBNAIL_SIZES[0],
      description: 'Longest side in pixels',
    }),
  ),
})

export const getFullImage = defineForImage('GET', imagePaths.full, {
  operationId: 'get_image_full',
  summary: 'Returns the uploaded bytes',
  query: downloadQuery,
  answers: { 200: bytes },
  mediaType: 'image/*',
  refusals: ['image_not_found', 'original_damaged', 'range_not_satisfiable'],
  limit: 'exempt',
  extensionFields: ['download'],
})

export const getThumbnail = defineForImage('GET', imagePaths.thumbnail, {
  operationId: 'get_image_thumbnail',
  summary: 'Returns a reduced WebP, never larger than the image',
  query: thumbnailQuery,
  answers: { 200: bytes },
  mediaType: 'image/webp',
  refusals: ['image_not_found', 'range_not_satisfiable', 'disk_full'],
  limit: 'exempt',
  extensionFields: ['size'],
})

export const getImageMetadata = defineForImage('GET', '/api/v1/images/i/{image_name}/metadata', {
  operationId: 'get_image_metadata',
  summary:
    "Returns InvokeAI's metadata object unchanged, otherwise the normal form, or null without metadata",
  query: Type.Object({
    form: Type.Optional(
      Type.Enum(['wire', 'normal'], {
        default: 'wire',
        description: '`normal` always returns the normal form',
      }),
    ),
    ...kindQuery.properties,
  }),
  answers: {
    200: Nullable(Type.Union([NormalMetadata, Type.Record(Type.String(), Type.Unknown())])),
  },
  extensionFields: ['form', 'kind'],
})

export const getImageWorkflow = defineForImage('GET', '/api/v1/images/i/{image_name}/workflow', {
  operationId: 'get_image_workflow',
  summary: 'Returns the embedded workflow and graph as text',
  query: kindQuery,
  extensionFields: kindExtension,
  answers: { 200: ImageWorkflow },
})

export const getImageUrls = define('GET', '/api/v1/images/i/{image_name}/urls', {
  operationId: 'get_image_urls',
  summary: 'Returns the addresses of an image, even if it does not exist',
  params: imageParams,
  answers: { 200: ImageUrls },
})

export const updateImage = defineForImage('PATCH', '/api/v1/images/i/{image_name}', {
  operationId: 'update_image',
  summary: 'Changes the given fields of an image',
  query: kindQuery,
  extensionFields: kindExtension,
  body: ImageChanges,
  strictBody: true,
  answers: { 200: ImageRecord },
  refusals: ['image_update_failed'],
})

export const starImages = defineForNames('POST', '/api/v1/images/star', {
  operationId: 'star_images_in_list',
  summary: 'Stars the named images. Unknown names are ignored',
  answers: { 200: StarredImagesResult },
})

export const unstarImages = defineForNames('POST', '/api/v1/images/unstar', {
  operationId: 'unstar_images_in_list',
  summary: 'Removes the star from the named images. Unknown names are ignored',
  answers: { 200: UnstarredImagesResult },
})

export const rateImages = define('POST', '/api/v1/images/rate', {
  operationId: 'rate_images',
  summary: 'Rates the named images and videos. Unknown names are ignored',
  body: Type.Object({ image_names: ImageNames, rating: Rating }),
  answers: { 200: RatedImagesResult },
  refusals: ['too_many_names'],
  extension: true,
})

const tagNames = Type.Optional(Type.Array(TagName, { maxItems: MAX_TAGS_PER_REQUEST }))

export const tagImages = define('POST', '/api/v1/images/tag', {
  operationId: 'tag_images',
  summary: 'Adds tags to the named images and videos, and removes tags. Unknown names are ignored',
  body: Type.Object({ image_names: ImageNames, add: tagNames, remove: tagNames }),
  answers: { 200: TaggedImagesResult },
  refusals: ['invalid_tag', 'too_many_names', 'too_many_tags'],
  extension: true,
})

export const copyImages = define('POST', '/api/v1/images/copy', {
  operationId: 'copy_images_to_board',
  summary:
    'Copies the named images to a board byte for byte. `failed_images` lists images that could not be copied',
  body: Type.Object({
    board_id: Type.String({ description: '`none` for uncategorized' }),
    image_names: ImageNames,
  }),
  answers: { 201: CopiedImagesResult },
  refusals: ['board_not_found', 'too_many_names', 'disk_full', 'stopping'],
  limit: 'batch',
  extension: true,
})

export const createImageEntry = define('POST', '/api/v1/images/', {
  operationId: 'create_image_upload_entry',
  summary: 'Not implemented, as in InvokeAI',
  body: Type.Object({
    width: Type.Integer(),
    height: Type.Integer(),
    board_id: Type.Optional(Nullable(Type.String())),
  }),
  answers: {},
  refusals: ['not_implemented'],
})

export const deleteImage = defineForImage('DELETE', '/api/v1/images/i/{image_name}', {
  operationId: 'delete_image',
  summary: 'Deletes one image permanently',
  answers: { 200: DeleteImagesResult },
})

export const deleteImages = defineForNames('POST', '/api/v1/images/delete', {
  operationId: 'delete_images_from_list',
  summary: 'Deletes the named images permanently. `failed_images` lists unknown names',
  answers: { 200: DeleteImagesResult },
})

export const deleteUncategorizedImages = define('DELETE', '/api/v1/images/uncategorized', {
  operationId: 'delete_uncategorized_images',
  summary: 'Deletes all uncategorized images permanently, including intermediate images',
  answers: { 200: DeleteImagesResult },
  limit: 'batch',
})

export const countIntermediates = define('GET', '/api/v1/images/intermediates', {
  operationId: 'get_intermediates_count',
  summary: 'Counts the intermediate images',
  answers: { 200: Type.Integer() },
})

export const deleteIntermediates = define('DELETE', '/api/v1/images/intermediates', {
  operationId: 'clear_intermediates',
  summary: 'Deletes all intermediate images permanently and returns their number',
  answers: { 200: Type.Integer() },
})

export const addImageToBoard = defineForBoards('POST', '/api/v1/board_images/', {
  operationId: 'add_image_to_board',
  summary: 'Moves an image to a board',
  body: Type.Object({ board_id: Type.String(), image_name: Type.String() }),
  answers: { 201: AddedImagesResult },
  refusals: ['board_not_found', 'image_not_found'],
})

export const addImagesToBoard = defineForBoards('POST', '/api/v1/board_images/batch', {
  operationId: 'add_images_to_board',
  summary: 'Moves the named images to a board. Unknown names are ignored',
  query: kindQuery,
  extensionFields: kindExtension,
  body: Type.Object({ board_id: Type.String(), image_names: ImageNames }),
  answers: { 201: AddedImagesResult },
  refusals: ['board_not_found', 'too_many_names'],
  limit: 'batch',
})

export const removeImageFromBoard = defineForBoards('DELETE', '/api/v1/board_images/', {
  operationId: 'remove_image_from_board',
  summary: 'Removes an image from its board. It becomes uncategorized',
  body: Type.Object({ image_name: Type.String() }),
  answers: { 201: RemovedImagesResult },
  refusals: ['image_not_found'],
})

export const removeImagesFromBoard = defineForNames('POST', '/api/v1/board_images/batch/delete', {
  operationId: 'remove_images_from_board',
  summary: 'Removes the named images from their boards. Unknown names are ignored',
  tag: 'boards',
  answers: { 201: RemovedImagesResult },
})
