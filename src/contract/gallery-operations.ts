import Type, { type Static } from 'typebox'
import { ImageCategory, ImageOrigin } from './image.ts'
import { viewExtensions, viewQuery } from './image-operations.ts'
import { DEFAULT_PAGE_LIMIT, MAX_GALLERY_PAGE } from './limits.ts'
import { operationsOf } from './operation.ts'
import { Nullable, pageOf, Timestamp } from './schema.ts'

const define = operationsOf({ tag: 'gallery' })

/** All item names of a gallery view. `starred_count` is 0 unless starred items come first. */
export const GalleryItemNames = Type.Object({
  item_names: Type.Array(Type.String()),
  starred_count: Type.Integer(),
  total_count: Type.Integer(),
})
export type GalleryItemNames = Static<typeof GalleryItemNames>

const GalleryItemKind = Type.Enum(['image', 'video'])

/** An image or a video in a gallery. */
export const GalleryItem = Type.Object({
  kind: GalleryItemKind,
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

const galleryQuery = {
  // Bundlers would keep a destructuring in programs that do not use it.
  ...Type.Omit(Type.Object(viewQuery), ['image_origin']).properties,
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

export const listGalleryItemNames = define('GET', '/api/v1/gallery/item_names', {
  operationId: 'get_gallery_item_names',
  summary: 'Lists all names of a view',
  query: Type.Object(galleryQuery),
  answers: { 200: GalleryItemNames },
  extensionFields: viewExtensions,
})

/** Path before 6.14, which InvokeAI still supports. */
export const listGalleryItemNamesOld = define('GET', '/api/v1/gallery/items/names', {
  operationId: 'get_gallery_item_names_old',
  summary: 'Lists all names of a view, each with its kind',
  query: Type.Object(galleryQuery),
  answers: {
    200: Type.Object({
      items: Type.Array(Type.Object({ kind: GalleryItemKind, name: Type.String() })),
      starred_count: Type.Integer(),
      total_count: Type.Integer(),
    }),
  },
  extensionFields: viewExtensions,
})

export const listItemNamesByDate = define(
  'GET',
  '/api/v1/virtual_boards/by_date/{date}/item_names',
  {
    operationId: 'list_virtual_board_item_names_by_date',
    summary: 'Lists the names of all items created on a day',
    params: Type.Object({
      date: Type.String({ description: 'Day in UTC', examples: ['2026-11-21'] }),
    }),
    query: Type.Object({
      starred_first: Type.Optional(Type.Boolean({ default: true })),
      order_dir: viewQuery.order_dir,
      categories: viewQuery.categories,
      search_term: viewQuery.search_term,
    }),
    answers: { 200: GalleryItemNames },
  },
)

export const listGalleryItems = define('GET', '/api/v1/gallery/items/', {
  operationId: 'list_gallery_items',
  summary: 'Returns a page of a view by position',
  query: Type.Object({ ...galleryQuery, ...page }),
  answers: { 200: pageOf(GalleryItem) },
  extensionFields: viewExtensions,
})
