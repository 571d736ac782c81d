import type { BoardVisibility } from '#contract/board.ts'
import type { ImageCategory } from '#contract/image.ts'
import type { SourceBoard, SourceRecord } from '#server/core/imports/import-ports.ts'
import type { BoardRow, ImageRow } from './invokeai-tables.ts'

const categories: readonly ImageCategory[] = ['general', 'mask', 'control', 'user', 'other']

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** @param modifiedAt - Time of the file, used if the time of the row cannot be parsed. */
export const recordOfRow = (
  imageName: string,
  row: ImageRow,
  modifiedAt: number,
): SourceRecord => ({
  identity: imageName,
  imageName,
  fileName: imageName,
  category: categories.find((category) => category === row.image_category) ?? 'other',
  origin: row.image_origin === 'internal' ? 'internal' : 'external',
  isIntermediate: false,
  starred: isTrue(row.starred),
  createdAt: parseTimestamp(row.created_at) ?? Math.round(modifiedAt),
  takenAt: null,
  sessionId: textOf(row.session_id),
  nodeId: textOf(row.node_id),
  metadata: textOf(row.metadata),
  workflow: null,
  graph: null,
})

/** @param isShared - If a single user has this InvokeAI, every board is private, which excludes no one. */
export const boardOfRow = (row: BoardRow, isShared: boolean): SourceBoard | null => {
  if (typeof row.board_name !== 'string' || typeof row.board_id !== 'string') return null
  return {
    boardName: row.board_name,
    boardKey: row.board_id,
    ...(uuid.test(row.board_id) && { boardId: row.board_id }),
    createdAt: parseTimestamp(row.created_at) ?? 0,
    description: null,
    archived: isTrue(row.archived),
    starred: false,
    visibility: visibilityOf(row.board_visibility, isShared),
    cover: textOf(row.cover_image_name),
    position: null,
  }
}

const visibilityOf = (visibility: unknown, isShared: boolean): BoardVisibility => {
  if (visibility === 'public') return 'public'
  return visibility === 'private' && isShared ? 'private' : 'shared'
}

const isTrue = (value: unknown): boolean => value === 1 || value === 'true'

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

const timestamp = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:?\d\d)?$/

/** Parses a time of InvokeAI, which is UTC without a time zone, to milliseconds since 1970. null: not a time. */
const parseTimestamp = (text: unknown): number | null => {
  const [, date, time, zone = 'Z'] = typeof text === 'string' ? (timestamp.exec(text) ?? []) : []
  const at = Date.parse(`${date}T${time}${zone}`)
  return Number.isNaN(at) ? null : at
}
