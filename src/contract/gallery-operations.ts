import Type, { type Static } from 'typebox'
import { ImageCategory, ImageOrigin } from './image.ts'
import { viewExtensions, viewQuery } from './image-operations.ts'
import { DEFAULT_PAGE_LIMIT, MAX_GALLERY_PAGE } from './limits.ts'
import { defineOperation } from './operation.ts'
import { Nullable, Timestamp } from './schema.ts'

/** All item names of a gallery view. `starred_count` is 0 unless starred items come first. */
export const GalleryItemNames = Type.Object({
  item_names: Type.Array(Type.String()),
  starred_count: Type.Integer(),
  total_count: Type.Integer(),
})
export type GalleryItemNames = Static<typeof GalleryItemNames>

/** An image or a video in a gallery. This server has no videos. */
export const GalleryItem = Type.Object({
  kind: Type.Enum(['image', 'video']),
  name: Type.String(),
  full_url: Type.String({ description: 'Relative to the server, without a leading slash' }),
  thumbnail_url: Type.String({ description: 'Relative to the server, without a leading slash' }),
  width: Type.Integer(),
  height: Type.Integer(),
  category: ImageCategory,
  starred: Type.Boolean(),
  is_intermediate: Type.Boolean(),
  board_id: Nullable(Type.String()),
  created_at: Timestamp,
  duration: Nullable(Type.Number({ description: 'Duration of a video in seconds' })),
  fps: Nullable(Type.Number()),
})
export type GalleryItem = Static<typeof GalleryItem>

const { image_origin: _, ...sharedQuery } = viewQuery
const galleryQuery = {
  ...sharedQuery,
  origin: Type.Optional(ImageOrigin),
  created_date: Type.Optional(
    Type.String({
      description: 'Only images created on this day in UTC',
      examples: ['2026-11-21'],
    }),
  ),
}
const page = {
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_GALLERY_PAGE,
      default: DEFAULT_PAGE_LIMIT,
      description: '0 returns only the count',
    }),
  ),
}
const pageOf = <T extends Parameters<typeof Type.Array>[0]>(item: T) =>
  Type.Object({
    limit: Type.Integer(),
    offset: Type.Integer(),
    total: Type.Integer(),
    items: Type.Array(item),
  })

export const listGalleryItemNames = defineOperation({
  operationId: 'get_gallery_item_names',
  method: 'GET',
  path: '/api/v1/gallery/item_names',
  summary: 'Lists all names of a view',
  tag: 'gallery',
  query: Type.Object(galleryQuery),
  answers: { 200: GalleryItemNames },
  refusals: [],
  extensionFields: viewExtensions,
})

/** Path before 6.14, which InvokeAI still supports. */
export const listGalleryItemNamesOld = defineOperation({
  ...listGalleryItemNames,
  operationId: 'get_gallery_item_names_old',
  path: '/api/v1/gallery/items/names',
})

export const listGalleryItems = defineOperation({
  operationId: 'list_gallery_items',
  method: 'GET',
  path: '/api/v1/gallery/items/',
  summary: 'Returns a page of a view by position',
  tag: 'gallery',
  query: Type.Object({ ...galleryQuery, ...page }),
  answers: { 200: pageOf(GalleryItem) },
  refusals: [],
  extensionFields: viewExtensions,
})

export const listVideos = defineOperation({
  operationId: 'list_videos',
  method: 'GET',
  path: '/api/v1/videos/',
  summary: 'Returns an empty page, because this server has no videos',
  tag: 'gallery',
  query: Type.Object({
    board_id: Type.Optional(Type.String()),
    is_intermediate: Type.Optional(Type.Boolean()),
    offset: page.offset,
    limit: Type.Optional(Type.Integer({ minimum: -1, default: DEFAULT_PAGE_LIMIT })),
  }),
  answers: { 200: pageOf(GalleryItem) },
  refusals: [],
})
