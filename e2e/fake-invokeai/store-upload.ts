import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { DetailAnswer } from './fault.ts'
import { type Category, type StoredImage, timestamp } from './library.ts'

/** InvokeAI's longest side of a thumbnail, in pixels. */
const THUMBNAIL_PX = 256
const MAX_RESIZE_PIXELS = 16_777_216

/** The fields of an upload besides the bytes. */
export interface UploadOptions {
  userId: string
  category: Category
  isIntermediate: boolean
  sessionId: string | null
  boardId: string | null
  /** The JSON text of the `metadata` part. */
  metadata: string | undefined
  /** The JSON text of the `resize_to` part. */
  resizeTo: string | undefined
}

/**
 * Stores an upload as InvokeAI does: converts it to PNG, drops EXIF with its orientation, and reads metadata
 * that InvokeAI embedded. Does not implement `crop_visible`.
 */
export async function storeUpload(bytes: Buffer, options: UploadOptions): Promise<StoredImage> {
  const resizeTo = readResizeTo(options.resizeTo)
  const found = await sharp(bytes, { limitInputPixels: 178_956_970 })
    .metadata()
    .catch(() => {
      throw new DetailAnswer(415, 'Failed to read image')
    })
  const decoded = sharp(bytes, { failOn: 'truncated' })
  const sized = resizeTo ? decoded.resize({ ...resizeTo, fit: 'fill' }) : decoded
  const { data: png, info } = await sized
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw new DetailAnswer(500, 'Failed to create image')
    })
  const embedded = Object.fromEntries(
    found.comments?.map(({ keyword, text }) => [keyword, text]) ?? [],
  )
  const now = timestamp()
  return {
    image_name: `${randomUUID()}.png`,
    user_id: options.userId,
    image_origin: 'external',
    image_category: options.category,
    width: info.width,
    height: info.height,
    created_at: now,
    updated_at: now,
    is_intermediate: options.isIntermediate,
    session_id: options.sessionId,
    node_id: null,
    starred: false,
    board_id: options.boardId,
    metadata: jsonObject(options.metadata) ?? jsonObject(embedded.invokeai_metadata),
    workflow: jsonObject(embedded.invokeai_workflow) ? (embedded.invokeai_workflow ?? null) : null,
    graph: jsonObject(embedded.invokeai_graph) ? (embedded.invokeai_graph ?? null) : null,
    png,
    thumbnail: await sharp(png)
      .resize({
        width: THUMBNAIL_PX,
        height: THUMBNAIL_PX,
        fit: 'inside',
        withoutEnlargement: true,
      })
      .webp()
      .toBuffer(),
  }
}

/**
 * Parses an object, or returns null for anything else: InvokeAI silently drops a `metadata` part that is not
 * an object.
 */
function jsonObject(text: string | undefined): Record<string, unknown> | null {
  if (text === undefined) return null
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function readResizeTo(text: string | undefined): { width: number; height: number } | null {
  if (text === undefined) return null
  const { width, height } = jsonObject(text) ?? {}
  const isSize = typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0
  if (isSize && width * height <= MAX_RESIZE_PIXELS) return { width, height }
  throw new DetailAnswer(400, 'Invalid resize_to format or size')
}
