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
  RemovedImagesResult,
  StarredImagesResult,
  UnstarredImagesResult,
} from './image.ts'
import { filterQuery } from './image-filter.ts'
import { imagePaths } from './image-urls.ts'
import { DEFAULT_PAGE_LIMIT, MAX_METADATA_NAMES, THUMBNAIL_SIZES } from './limits.ts'
import { ImageWorkflow, NamedMetadata, NormalMetadata } from './metadata.ts'
import { defineOperation } from './operation.ts'
import { ImageNames, Nullable } from './schema.ts'

const imageParams = Type.Object({ image_name: Type.String() })
const namesBody = Type.Object({ image_names: ImageNames })

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
      maxLength: 1000,
      description:
        'Words and "phrases" that prompt, negative prompt, parameters, file name or board name contain',
    }),
  ),
}

/** Keys of {@link viewQuery} that InvokeAI does not have. */
export const viewExtensions = ['order_by', 'query'] as const

export const listImages = defineOperation({
  operationId: 'list_image_dtos',
  method: 'GET',
  path: '/api/v1/images/',
  summary: 'Returns a page of images by position',
  tag: 'images',
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

export const listImageNames = defineOperation({
  operationId: 'get_image_names',
  method: 'GET',
  path: '/api/v1/images/names',
  summary: 'Lists all names of a view',
  tag: 'images',
  query: Type.Object(viewQuery),
  answers: { 200: ImageNamesResult },
  refusals: [],
  extensionFields: viewExtensions,
})

export const listImageDays = defineOperation({
  operationId: 'list_image_days',
  method: 'GET',
  path: '/api/v1/images/days',
  summary: 'Counts the images of a view by day, in the order of the view',
  tag: 'images',
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

export const getImagePosition = defineOperation({
  operationId: 'get_image_position',
  method: 'GET',
  path: '/api/v1/images/i/{image_name}/position',
  summary: 'Returns the position of an image in a view',
  tag: 'images',
  params: imageParams,
  query: Type.Object(viewQuery),
  answers: { 200: ImagePosition },
  refusals: ['image_not_found'],
  extension: true,
})

export const listImagesByNames = defineOperation({
  operationId: 'get_images_by_names',
  method: 'POST',
  isRead: true,
  path: '/api/v1/images/images_by_names',
  summary:
    'Returns the records of the named images in the order of the request. Unknown names are omitted',
  tag: 'images',
  body: namesBody,
  answers: { 200: Type.Array(ImageRecord) },
  refusals: ['too_many_names'],
})

export const listImageMetadata = defineOperation({
  operationId: 'list_image_metadata',
  method: 'POST',
  isRead: true,
  path: '/api/v1/images/metadata_by_names',
  summary:
    'Returns the metadata of the named images with an empty `raw`. Unknown names are omitted',
  tag: 'images',
  body: Type.Object({ image_names: Type.Array(Type.String(), { maxItems: MAX_METADATA_NAMES }) }),
  answers: { 200: Type.Array(NamedMetadata) },
  refusals: [],
  extension: true,
})

export const getImage = defineOperation({
  operationId: 'get_image_dto',
  method: 'GET',
  path: '/api/v1/images/i/{image_name}',
  summary: 'Returns the record of an image',
  tag: 'images',
  params: imageParams,
  answers: { 200: ImageRecord },
  refusals: ['image_not_found'],
})

const bytes = Type.String({ format: 'binary' })

export const getFullImage = defineOperation({
  operationId: 'get_image_full',
  method: 'GET',
  path: imagePaths.full,
  summary: 'Returns the uploaded bytes',
  tag: 'images',
  params: imageParams,
  query: Type.Object({
    download: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Sends the file as an attachment with its uploaded name',
      }),
    ),
  }),
  answers: { 200: bytes },
  mediaType: 'image/*',
  refusals: ['image_not_found', 'original_damaged', 'range_not_satisfiable'],
  limit: 'exempt',
  extensionFields: ['download'],
})

export const getThumbnail = defineOperation({
  operationId: 'get_image_thumbnail',
  method: 'GET',
  path: imagePaths.thumbnail,
  summary: 'Returns a reduced WebP, never larger than the image',
  tag: 'images',
  params: imageParams,
  query: Type.Object({
    size: Type.Optional(
      Type.Integer({
        enum: [...THUMBNAIL_SIZES],
        default: THUMBNAIL_SIZES[0],
        description: 'Longest side in pixels',
      }),
    ),
  }),
  answers: { 200: bytes },
  mediaType: 'image/webp',
  refusals: ['image_not_found', 'range_not_satisfiable', 'disk_full'],
  limit: 'exempt',
  extensionFields: ['size'],
})

export const getImageMetadata = defineOperation({
  operationId: 'get_image_metadata',
  method: 'GET',
  path: '/api/v1/images/i/{image_name}/metadata',
  summary:
    "Returns InvokeAI's metadata object unchanged, otherwise the normal form, or null without metadata",
  tag: 'images',
  params: imageParams,
  query: Type.Object({
    form: Type.Optional(
      Type.Enum(['wire', 'normal'], {
        default: 'wire',
        description: '`normal` always returns the normal form',
      }),
    ),
  }),
  answers: {
    200: Nullable(Type.Union([NormalMetadata, Type.Record(Type.String(), Type.Unknown())])),
  },
  refusals: ['image_not_found'],
  extensionFields: ['form'],
})

export const getImageWorkflow = defineOperation({
  operationId: 'get_image_workflow',
  method: 'GET',
  path: '/api/v1/images/i/{image_name}/workflow',
  summary: 'Returns the embedded workflow and graph as text',
  tag: 'images',
  params: imageParams,
  answers: { 200: ImageWorkflow },
  refusals: ['image_not_found'],
})

export const getImageUrls = defineOperation({
  operationId: 'get_image_urls',
  method: 'GET',
  path: '/api/v1/images/i/{image_name}/urls',
  summary: 'Returns the addresses of an image, even if it does not exist',
  tag: 'images',
  params: imageParams,
  answers: { 200: ImageUrls },
  refusals: [],
})

export const updateImage = defineOperation({
  operationId: 'update_image',
  method: 'PATCH',
  path: '/api/v1/images/i/{image_name}',
  summary: 'Changes the given fields of an image',
  tag: 'images',
  params: imageParams,
  body: ImageChanges,
  strictBody: true,
  answers: { 200: ImageRecord },
  refusals: ['image_update_failed'],
})

export const starImages = defineOperation({
  operationId: 'star_images_in_list',
  method: 'POST',
  path: '/api/v1/images/star',
  summary: 'Stars the named images. Unknown names are ignored',
  tag: 'images',
  body: namesBody,
  answers: { 200: StarredImagesResult },
  refusals: ['too_many_names'],
  limit: 'batch',
})

export const unstarImages = defineOperation({
  operationId: 'unstar_images_in_list',
  method: 'POST',
  path: '/api/v1/images/unstar',
  summary: 'Removes the star from the named images. Unknown names are ignored',
  tag: 'images',
  body: namesBody,
  answers: { 200: UnstarredImagesResult },
  refusals: ['too_many_names'],
  limit: 'batch',
})

export const copyImages = defineOperation({
  operationId: 'copy_images_to_board',
  method: 'POST',
  path: '/api/v1/images/copy',
  summary:
    'Copies the named images to a board byte for byte. `failed_images` lists images that could not be copied',
  tag: 'images',
  body: Type.Object({
    board_id: Type.String({ description: '`none` for uncategorized' }),
    image_names: ImageNames,
  }),
  answers: { 201: CopiedImagesResult },
  refusals: ['board_not_found', 'too_many_names', 'disk_full', 'stopping'],
  limit: 'batch',
  extension: true,
})

export const createImageEntry = defineOperation({
  operationId: 'create_image_upload_entry',
  method: 'POST',
  path: '/api/v1/images/',
  summary: 'Not implemented, as in InvokeAI',
  tag: 'images',
  body: Type.Object({
    width: Type.Integer(),
    height: Type.Integer(),
    board_id: Type.Optional(Nullable(Type.String())),
  }),
  answers: {},
  refusals: ['not_implemented'],
})

export const deleteImage = defineOperation({
  operationId: 'delete_image',
  method: 'DELETE',
  path: '/api/v1/images/i/{image_name}',
  summary: 'Deletes one image permanently',
  tag: 'images',
  params: imageParams,
  answers: { 200: DeleteImagesResult },
  refusals: ['image_not_found'],
})

export const deleteImages = defineOperation({
  operationId: 'delete_images_from_list',
  method: 'POST',
  path: '/api/v1/images/delete',
  summary: 'Deletes the named images permanently. `failed_images` lists unknown names',
  tag: 'images',
  body: namesBody,
  answers: { 200: DeleteImagesResult },
  refusals: ['too_many_names'],
  limit: 'batch',
})

export const deleteUncategorizedImages = defineOperation({
  operationId: 'delete_uncategorized_images',
  method: 'DELETE',
  path: '/api/v1/images/uncategorized',
  summary: 'Deletes all uncategorized images permanently, including intermediate images',
  tag: 'images',
  answers: { 200: DeleteImagesResult },
  refusals: [],
  limit: 'batch',
})

export const countIntermediates = defineOperation({
  operationId: 'get_intermediates_count',
  method: 'GET',
  path: '/api/v1/images/intermediates',
  summary: 'Counts the intermediate images',
  tag: 'images',
  answers: { 200: Type.Integer() },
  refusals: [],
})

export const deleteIntermediates = defineOperation({
  operationId: 'clear_intermediates',
  method: 'DELETE',
  path: '/api/v1/images/intermediates',
  summary: 'Deletes all intermediate images permanently and returns their number',
  tag: 'images',
  answers: { 200: Type.Integer() },
  refusals: [],
})

export const addImageToBoard = defineOperation({
  operationId: 'add_image_to_board',
  method: 'POST',
  path: '/api/v1/board_images/',
  summary: 'Moves an image to a board',
  tag: 'boards',
  body: Type.Object({ board_id: Type.String(), image_name: Type.String() }),
  answers: { 201: AddedImagesResult },
  refusals: ['board_not_found', 'image_not_found'],
})

export const addImagesToBoard = defineOperation({
  operationId: 'add_images_to_board',
  method: 'POST',
  path: '/api/v1/board_images/batch',
  summary: 'Moves the named images to a board. Unknown names are ignored',
  tag: 'boards',
  body: Type.Object({ board_id: Type.String(), image_names: ImageNames }),
  answers: { 201: AddedImagesResult },
  refusals: ['board_not_found', 'too_many_names'],
  limit: 'batch',
})

export const removeImageFromBoard = defineOperation({
  operationId: 'remove_image_from_board',
  method: 'DELETE',
  path: '/api/v1/board_images/',
  summary: 'Removes an image from its board. It becomes uncategorized',
  tag: 'boards',
  body: Type.Object({ image_name: Type.String() }),
  answers: { 201: RemovedImagesResult },
  refusals: ['image_not_found'],
})

export const removeImagesFromBoard = defineOperation({
  operationId: 'remove_images_from_board',
  method: 'POST',
  path: '/api/v1/board_images/batch/delete',
  summary: 'Removes the named images from their boards. Unknown names are ignored',
  tag: 'boards',
  body: namesBody,
  answers: { 201: RemovedImagesResult },
  refusals: ['too_many_names'],
  limit: 'batch',
})
