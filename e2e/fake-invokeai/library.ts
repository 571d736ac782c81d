import { randomUUID } from 'node:crypto'

export const CATEGORIES = ['general', 'mask', 'control', 'user', 'other'] as const
export type Category = (typeof CATEGORIES)[number]
export const ORIGINS = ['internal', 'external'] as const
export const VISIBILITIES = ['private', 'shared', 'public'] as const

/** A stored board. */
export interface StoredBoard {
  board_id: string
  board_name: string
  user_id: string
  created_at: string
  updated_at: string
  archived: boolean
  board_visibility: (typeof VISIBILITIES)[number]
}

/** A stored image with its bytes. */
export interface StoredImage {
  image_name: string
  /** The id of the owner. */
  user_id: string
  image_origin: (typeof ORIGINS)[number]
  image_category: Category
  width: number
  height: number
  created_at: string
  updated_at: string
  is_intermediate: boolean
  session_id: string | null
  node_id: string | null
  starred: boolean
  board_id: string | null
  metadata: Record<string, unknown> | null
  workflow: string | null
  graph: string | null
  png: Buffer
  thumbnail: Buffer
}

/** A stored video with the fields that lists contain. The fake does not play videos. */
export interface StoredVideo {
  name: string
  board_id: string | null
  created_at: string
}

/** Filters and order of an image list. */
export interface ListFilter {
  boardId: string | undefined
  categories: readonly Category[] | undefined
  origin: StoredImage['image_origin'] | undefined
  isIntermediate: boolean | undefined
  searchTerm: string | undefined
  starredFirst: boolean
  orderDir: 'ASC' | 'DESC'
}

/** All boards and images of the fake, in memory. They remain after a restart of the server. */
export class Library {
  readonly boards = new Map<string, StoredBoard>()
  readonly images = new Map<string, StoredImage>()
  readonly videos = new Map<string, StoredVideo>()

  addBoard(boardName: string, userId = 'system'): StoredBoard {
    const now = timestamp()
    const board: StoredBoard = {
      board_id: randomUUID(),
      board_name: boardName,
      user_id: userId,
      created_at: now,
      updated_at: now,
      archived: false,
      board_visibility: 'private',
    }
    this.boards.set(board.board_id, board)
    return board
  }

  /** Adds copies of an image, one millisecond apart, and returns their names. */
  addCopies(imageName: string, count: number): string[] {
    const image = this.images.get(imageName)
    if (image === undefined) throw new Error(`no image ${imageName}`)
    const start = Date.parse(`${image.created_at.replace(' ', 'T')}Z`)
    return Array.from({ length: count }, (_, index) => {
      const image_name = `${randomUUID()}.png`
      const created_at = timestamp(start + 1 + index)
      this.images.set(image_name, { ...image, image_name, created_at })
      return image_name
    })
  }

  /** @param boardId - null: uncategorized. */
  addVideo(boardId: string | null): StoredVideo {
    const video = { name: `${randomUUID()}.mp4`, board_id: boardId, created_at: timestamp() }
    this.videos.set(video.name, video)
    return video
  }

  /** Returns the videos of a board, uncategorized ones for `none`, or all without a board. */
  videosOn(boardId?: string): StoredVideo[] {
    const wanted = boardId === 'none' ? null : boardId
    const all = [...this.videos.values()]
    return wanted === undefined ? all : all.filter(({ board_id }) => board_id === wanted)
  }

  /** Returns the images of a board, or uncategorized ones for `none`. */
  imagesOn(boardId: string): StoredImage[] {
    const wanted = boardId === 'none' ? null : boardId
    return [...this.images.values()].filter((image) => image.board_id === wanted)
  }

  /** Returns images by time, starred first on request. Like InvokeAI, it has no tie-breaker. */
  list(filter: ListFilter): StoredImage[] {
    const all =
      filter.boardId === undefined ? [...this.images.values()] : this.imagesOn(filter.boardId)
    const pattern = filter.searchTerm ? like(filter.searchTerm) : null
    const sign = filter.orderDir === 'ASC' ? 1 : -1
    return all
      .filter((image) => filter.categories?.includes(image.image_category) ?? true)
      .filter((image) => filter.origin === undefined || image.image_origin === filter.origin)
      .filter((image) => (filter.isIntermediate ?? image.is_intermediate) === image.is_intermediate)
      .filter((image) => pattern === null || pattern.test(textOf(image)))
      .sort((a, b) => {
        const byStar = filter.starredFirst ? Number(b.starred) - Number(a.starred) : 0
        return byStar || sign * a.created_at.localeCompare(b.created_at)
      })
  }

  /** Moves images to a board, or out of any board, and returns the ids of the affected boards. */
  move(images: readonly StoredImage[], boardId: string | null): string[] {
    const affected = new Set([boardId ?? 'none'])
    for (const image of images) {
      affected.add(image.board_id ?? 'none')
      image.board_id = boardId
      image.updated_at = timestamp()
    }
    return [...affected]
  }

  /** Deletes images permanently. The result omits unknown names. */
  delete(imageNames: readonly string[]) {
    const affected = new Set<string>()
    const deleted: string[] = []
    for (const name of imageNames) {
      const image = this.images.get(name)
      if (image === undefined) continue
      this.images.delete(name)
      affected.add(image.board_id ?? 'none')
      deleted.push(name)
    }
    return { affected_boards: [...affected], deleted_images: deleted, failed_images: [] }
  }
}

/** Formats a time as `YYYY-MM-DD HH:MM:SS.mmm`, UTC. */
export function timestamp(ms = Date.now()): string {
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', '')
}

/** Returns the searchable text: metadata and time, but not the name, as in InvokeAI. */
function textOf(image: StoredImage): string {
  return `${image.metadata ? JSON.stringify(image.metadata) : ''}\n${image.created_at}`
}

/** Implements SQL's LIKE: `%` and `_` are wildcards. */
function like(term: string): RegExp {
  const escaped = term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(escaped.replaceAll('%', '.*').replaceAll('_', '.'), 'i')
}
