import type { Library, StoredBoard, StoredImage } from './library.ts'

/** Creates a BoardDTO with its fields in InvokeAI's order. It has no description, star or is_private. */
export function boardRecord(library: Library, board: StoredBoard, owner: string | null = null) {
  const images = library.imagesOn(board.board_id).filter((image) => !image.is_intermediate)
  const [cover] = [...images].sort(
    (a, b) => Number(b.starred) - Number(a.starred) || b.created_at.localeCompare(a.created_at),
  )
  const imageCount = images.filter((image) => image.image_category === 'general').length
  return {
    board_id: board.board_id,
    board_name: board.board_name,
    user_id: board.user_id,
    created_at: board.created_at,
    updated_at: board.updated_at,
    deleted_at: null,
    cover_image_name: cover?.image_name ?? null,
    archived: board.archived,
    board_visibility: board.board_visibility,
    cover_video_name: null,
    image_count: imageCount,
    video_count: library.videosOn(board.board_id).length,
    asset_count: images.length - imageCount,
    owner_username: owner,
  }
}

/** Creates an ImageDTO with its fields in InvokeAI's order. */
export function imageRecord(image: StoredImage) {
  return {
    image_name: image.image_name,
    ...imageUrls(image.image_name),
    image_origin: image.image_origin,
    image_category: image.image_category,
    width: image.width,
    height: image.height,
    created_at: image.created_at,
    updated_at: image.updated_at,
    deleted_at: null,
    is_intermediate: image.is_intermediate,
    session_id: image.session_id,
    node_id: image.node_id,
    starred: image.starred,
    has_workflow: image.workflow !== null || image.graph !== null,
    image_subfolder: '',
    board_id: image.board_id,
  }
}

/** Returns image URLs as InvokeAI sends them: relative and without a leading slash. */
export function imageUrls(imageName: string) {
  return {
    image_url: `api/v1/images/i/${imageName}/full`,
    thumbnail_url: `api/v1/images/i/${imageName}/thumbnail`,
  }
}
