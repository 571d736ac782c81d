import Type from 'typebox'
import {
  AddedImagesResult,
  CopiedImagesResult,
  DeleteImagesResult,
  ImageCategory,
  ImageChanges,
  ImageDays,
  ImageNamesResult,
  ImageOrder,
  ImageOrigin,
  ImagePosition,
  ImageRecord,
  ImagesPage,
  ImageUrls,
  imagePaths,
  RemovedImagesResult,
  StarredImagesResult,
  UnstarredImagesResult,
} from './image.ts'
import { DEFAULT_PAGE_LIMIT, MAX_METADATA_NAMES, THUMBNAIL_SIZES } from './limits.ts'
import { ImageWorkflow, NamedMetadata, NormalMetadata } from './metadata.ts'
import { defineOperation } from './operation.ts'
import { ImageNames, Nullable } from './schema.ts'

const imageParams = Type.Object({ image_name: Type.String() })
const namesBody = Type.Object({ image_names: ImageNames })

/** Query keys that filter and order the images of a view. `order_by` and `query` are extensions. */
export const viewQuery = {
  image_origin: Type.Optional(ImageOrigin),
  categories: Type.Optional(Type.Array(ImageCategory)),
  is_intermediate: Type.Optional(Type.Boolean({ description: 'Absent: both' })),
  board_id: Type.Optional(
    Type.String({ description: 'Absent: every board. `none`: uncategorized' }),
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

export const listImages = defineOperation({
  operationId: 'list_image_dtos',
  method: 'GET',
  path: '/api/v1/images/',
  summary: 'A page of images by position',
  tag: 'images',
  query: Type.Object({
    ...viewQuery,
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
    limit: Type.Optional(
      Type.Integer({
        minimum: -1,
        default: DEFAULT_PAGE_LIMIT,
        description: '0: only the count. -1: all',
      }),
    ),
    after: Type.Optional(
      Type.String({ description: 'The image that the page follows; takes the place of `offset`' }),
    ),
  }),
  answers: { 200: ImagesPage },
  refusals: ['image_not_found'],
  extensionFields: ['order_by', 'query', 'after'],
})

export const listImageNames = defineOperation({
  operationId: 'get_image_names',
  method: 'GET',
  path: '/api/v1/images/names',
  summary: 'Every name of a view',
  tag: 'images',
  query: Type.Object(viewQuery),
  answers: { 200: ImageNamesResult },
  refusals: [],
  extensionFields: ['order_by', 'query'],
})

export const listImageDays = defineOperation({
  operationId: 'list_image_days',
  method: 'GET',
  path: '/api/v1/images/days',
  summary: 'How many images of a view each day has, in the order of the view',
  tag: 'images',
  query: Type.Object({
    ...viewQuery,
    // Only in these orders are the images of a day contiguous.
    order_by: Type.Optional(Type.Enum(['created_at', 'taken_at'], { default: 'created_at' })),
    time_zone: Type.Optional(
      Type.String({
        default: 'UTC',
        description: "Whose midnight parts the days: an IANA time zone's name",
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
  summary: 'Where an image stands in a view',
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
  path: '/api/v1/images/images_by_names',
  summary: 'The records of the named images, in the order asked for; unknown names are left out',
  tag: 'images',
  body: namesBody,
  answers: { 200: Type.Array(ImageRecord) },
  refusals: ['too_many_names'],
})

export const listImageMetadata = defineOperation({
  operationId: 'list_image_metadata',
  method: 'POST',
  path: '/api/v1/images/metadata_by_names',
  summary: 'The metadata of the named images with an empty `raw`; unknown names are left out',
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
  summary: 'The record of one image',
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
  summary: 'The bytes as they were uploaded',
  tag: 'images',
  params: imageParams,
  query: Type.Object({
    download: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'As an attachment, under the name it was uploaded with',
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
  summary: 'A reduced WebP, never larger than the image itself',
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
  summary: "InvokeAI's object unchanged, else the normal form, else null",
  tag: 'images',
  params: imageParams,
  query: Type.Object({
    form: Type.Optional(
      Type.Enum(['wire', 'normal'], {
        default: 'wire',
        description: '`normal`: always the normal form',
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
  summary: 'The embedded workflow and graph, as text',
  tag: 'images',
  params: imageParams,
  answers: { 200: ImageWorkflow },
  refusals: ['image_not_found'],
})

export const getImageUrls = defineOperation({
  operationId: 'get_image_urls',
  method: 'GET',
  path: '/api/v1/images/i/{image_name}/urls',
  summary: 'The addresses of an image, whether it exists or not',
  tag: 'images',
  params: imageParams,
  answers: { 200: ImageUrls },
  refusals: [],
})

export const updateImage = defineOperation({
  operationId: 'update_image',
  method: 'PATCH',
  path: '/api/v1/images/i/{image_name}',
  summary: 'Changes what is given of an image',
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
  summary: 'Stars the named images; unknown names are left out',
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
  summary: 'Takes the star from the named images; unknown names are left out',
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
    'Copies the named images to a board, byte for byte; those that cannot be copied are in `failed_images`',
  tag: 'images',
  body: Type.Object({
    board_id: Type.String({ description: '`none`: uncategorized' }),
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
  summary: 'Deletes the named images for good; unknown names land in `failed_images`',
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
  summary: 'Deletes every uncategorized image for good, intermediates included',
  tag: 'images',
  answers: { 200: DeleteImagesResult },
  refusals: [],
  limit: 'batch',
})

export const countIntermediates = defineOperation({
  operationId: 'get_intermediates_count',
  method: 'GET',
  path: '/api/v1/images/intermediates',
  summary: 'How many intermediate images there are',
  tag: 'images',
  answers: { 200: Type.Integer() },
  refusals: [],
})

export const deleteIntermediates = defineOperation({
  operationId: 'clear_intermediates',
  method: 'DELETE',
  path: '/api/v1/images/intermediates',
  summary: 'Deletes every intermediate image for good and says how many',
  tag: 'images',
  answers: { 200: Type.Integer() },
  refusals: [],
})

export const addImageToBoard = defineOperation({
  operationId: 'add_image_to_board',
  method: 'POST',
  path: '/api/v1/board_images/',
  summary: 'Puts an image on a board; it leaves the one it was on',
  tag: 'boards',
  body: Type.Object({ board_id: Type.String(), image_name: Type.String() }),
  answers: { 201: AddedImagesResult },
  refusals: ['board_not_found', 'image_not_found'],
})

export const addImagesToBoard = defineOperation({
  operationId: 'add_images_to_board',
  method: 'POST',
  path: '/api/v1/board_images/batch',
  summary: 'Puts the named images on a board; unknown names are left out',
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
  summary: 'Takes an image from its board; it becomes uncategorized',
  tag: 'boards',
  body: Type.Object({ image_name: Type.String() }),
  answers: { 201: RemovedImagesResult },
  refusals: ['image_not_found'],
})

export const removeImagesFromBoard = defineOperation({
  operationId: 'remove_images_from_board',
  method: 'POST',
  path: '/api/v1/board_images/batch/delete',
  summary: 'Takes the named images from their boards; unknown names are left out',
  tag: 'boards',
  body: namesBody,
  answers: { 201: RemovedImagesResult },
  refusals: ['too_many_names'],
  limit: 'batch',
})
