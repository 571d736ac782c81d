import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readFilter } from './image-routes.ts'
import type { Library, ListFilter, StoredImage, StoredVideo } from './library.ts'
import { QueryReader } from './read-request.ts'
import { imageUrls } from './records.ts'
import { ImageRights } from './rights.ts'

const MAX_PAGE = 1000

/** Adds the routes that list images and videos together, which exist since 6.14. */
export function addGalleryRoutes(app: FastifyInstance, library: Library): void {
  const rights = new ImageRights(library)
  const itemsOf = (request: FastifyRequest) => {
    const query = new QueryReader(request.query)
    const filter = readFilter(query, 'origin')
    const day = query.text('created_date')
    const isOnDay = ({ created_at }: { created_at: string }) =>
      day === undefined || created_at.startsWith(day)
    const images = rights.seen(request, library.list(filter)).filter(isOnDay).map(itemOfImage)
    const videos = videosIn(library, filter).filter(isOnDay).map(itemOfVideo)
    const sign = filter.orderDir === 'ASC' ? 1 : -1
    const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
    const items = [...images, ...videos].sort(
      (a, b) =>
        (filter.starredFirst ? Number(b.starred) - Number(a.starred) : 0) ||
        sign * compare(a.created_at, b.created_at) ||
        sign * compare(a.kind, b.kind) ||
        sign * compare(a.name, b.name),
    )
    return { items, filter }
  }

  app.get('/api/v1/gallery/item_names', (request) => {
    const { items, filter } = itemsOf(request)
    return {
      item_names: items.map(({ name }) => name),
      starred_count: filter.starredFirst ? items.filter(({ starred }) => starred).length : 0,
      total_count: items.length,
    }
  })

  app.get('/api/v1/gallery/items/', (request) => {
    const query = new QueryReader(request.query)
    const offset = query.integerIn('offset', 0, Number.POSITIVE_INFINITY) ?? 0
    const limit = query.integerIn('limit', 0, MAX_PAGE) ?? 10
    const { items } = itemsOf(request)
    return { limit, offset, total: items.length, items: items.slice(offset, offset + limit) }
  })

  app.get('/api/v1/videos/', (request) => {
    const query = new QueryReader(request.query)
    const offset = query.integer('offset') ?? 0
    const limit = query.integer('limit') ?? 10
    const videos = library.videosOn(query.text('board_id')).map(itemOfVideo)
    return { limit, offset, total: videos.length, items: videos.slice(offset, offset + limit) }
  })
}

/**
 * Returns the matching videos. In this fake, a video has the category `general` and no metadata, and was made
 * by a node.
 */
function videosIn(library: Library, filter: ListFilter): StoredVideo[] {
  const { boardId, categories, origin, isIntermediate, searchTerm } = filter
  const isLeftOut =
    origin === 'external' ||
    isIntermediate === true ||
    Boolean(searchTerm) ||
    categories?.includes('general') === false
  return isLeftOut ? [] : library.videosOn(boardId)
}

function itemOfImage(image: StoredImage) {
  const { image_url, thumbnail_url } = imageUrls(image.image_name)
  return {
    kind: 'image' as string,
    name: image.image_name,
    full_url: image_url,
    thumbnail_url,
    width: image.width,
    height: image.height,
    category: image.image_category as string,
    starred: image.starred,
    is_intermediate: image.is_intermediate,
    board_id: image.board_id,
    created_at: image.created_at,
    duration: null as number | null,
    fps: null as number | null,
  }
}

function itemOfVideo({ name, board_id, created_at }: StoredVideo): ReturnType<typeof itemOfImage> {
  return {
    kind: 'video',
    name,
    full_url: `api/v1/videos/i/${name}/full`,
    thumbnail_url: `api/v1/videos/i/${name}/thumbnail`,
    width: 640,
    height: 360,
    category: 'general',
    starred: false,
    is_intermediate: false,
    board_id,
    created_at,
    duration: 4,
    fps: 24,
  }
}
