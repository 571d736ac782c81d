import type { DatabasePages } from './database-pages.ts'

export type SqlValue = string | number | bigint | Buffer | null

/** A row of a table. `rowid` is null in a table without one. */
export interface StoredRow {
  rowid: number | null
  values: SqlValue[]
}

export interface PageCells {
  kind: 'interior' | 'leaf'
  hasRowids: boolean
  /** Numbers of the pages below an interior page. */
  children: number[]
  rows: StoredRow[]
  /** Number of cells that cannot be read. */
  damaged: number
}

/** The first bytes of pages: interior and leaf pages of tables, and of indexes and tables without a rowid. */
const kinds: Readonly<Record<number, Pick<PageCells, 'kind' | 'hasRowids'>>> = {
  5: { kind: 'interior', hasRowids: true },
  13: { kind: 'leaf', hasRowids: true },
  2: { kind: 'interior', hasRowids: false },
  10: { kind: 'leaf', hasRowids: false },
}

/** Reads the cells of a page of a table. null: it is no such page. */
export const readCells = (pages: DatabasePages, page: number): PageCells | null => {
  const bytes = pages.read(page)
  const start = page === 1 ? 100 : 0
  const kind = bytes === null ? undefined : kinds[bytes.readUInt8(start)]
  if (bytes === null || kind === undefined) return null
  const headerSize = kind.kind === 'interior' ? 12 : 8
  const count = bytes.readUInt16BE(start + 3)
  const cells: PageCells = { ...kind, children: [], rows: [], damaged: 0 }
  if (start + headerSize + 2 * count > pages.usableSize) return null
  for (let index = 0; index < count; index += 1) {
    const at = bytes.readUInt16BE(start + headerSize + 2 * index)
    const isInside = at >= start + headerSize + 2 * count && at + 4 <= pages.usableSize
    if (!isInside || !readCell(pages, bytes, at, cells)) cells.damaged += 1
  }
  if (kind.kind === 'interior') cells.children.push(bytes.readUInt32BE(start + 8))
  return cells
}

/** Adds a cell to those of its page. Returns false if it cannot be read. */
const readCell = (pages: DatabasePages, bytes: Buffer, start: number, cells: PageCells) => {
  let at = start
  if (cells.kind === 'interior') {
    cells.children.push(bytes.readUInt32BE(at))
    if (cells.hasRowids) return true
    at += 4
  }
  const size = readVarint(bytes, at)
  if (size === null) return false
  const rowid = cells.hasRowids ? readVarint(bytes, size.end) : { value: null, end: size.end }
  if (rowid === null) return false
  const payload = readPayload(pages, bytes, rowid.end, size.value, cells.hasRowids)
  const values = payload === null ? null : decodeRecord(payload)
  if (values === null) return false
  cells.rows.push({ rowid: rowid.value, values })
  return true
}

/** Reads a payload, which continues on overflow pages if it is long. */
const readPayload = (
  pages: DatabasePages,
  bytes: Buffer,
  start: number,
  size: number,
  hasRowids: boolean,
): Buffer | null => {
  const { usableSize } = pages
  if (size > pages.count * usableSize) return null
  const most = hasRowids ? usableSize - 35 : Math.floor(((usableSize - 12) * 64) / 255) - 23
  if (size <= most) return start + size > usableSize ? null : bytes.subarray(start, start + size)
  const least = Math.floor(((usableSize - 12) * 32) / 255) - 23
  const rest = least + ((size - least) % (usableSize - 4))
  const local = rest <= most ? rest : least
  if (start + local + 4 > usableSize) return null
  const parts = [bytes.subarray(start, start + local)]
  let next = bytes.readUInt32BE(start + local)
  for (let left = size - local; left > 0; left -= usableSize - 4) {
    const page = pages.read(next)
    if (page === null) return null
    parts.push(page.subarray(4, 4 + Math.min(left, usableSize - 4)))
    next = page.readUInt32BE(0)
  }
  return next === 0 ? Buffer.concat(parts) : null
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Returns the values of a record, or null if its parts do not agree or a text is no text. */
const decodeRecord = (payload: Buffer): SqlValue[] | null => {
  const header = readVarint(payload, 0)
  if (header === null || header.value > payload.length || header.value < 1) return null
  const values: SqlValue[] = []
  let at = header.value
  for (let next = header.end; next < header.value; ) {
    const type = readVarint(payload, next)
    if (type === null || type.end > header.value) return null
    next = type.end
    const size = sizeOf(type.value)
    if (size === null || at + size > payload.length) return null
    const value = decodeValue(type.value, payload.subarray(at, at + size))
    if (value === undefined) return null
    values.push(value)
    at += size
  }
  return at === payload.length ? values : null
}

const fixedSizes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0] as const

const sizeOf = (type: number): number | null =>
  type >= 12 ? Math.floor((type - 12) / 2) : (fixedSizes[type] ?? null)

const decodeValue = (type: number, bytes: Buffer): SqlValue | undefined => {
  if (type === 0) return null
  if (type === 7) return bytes.readDoubleBE(0)
  if (type === 8 || type === 9) return type - 8
  if (type === 6) return safeNumber(bytes.readBigInt64BE(0))
  if (type < 6) return bytes.readIntBE(0, bytes.length)
  if (type % 2 === 0) return bytes
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

const safeNumber = (value: bigint): number | bigint =>
  Number.isSafeInteger(Number(value)) ? Number(value) : value

/** Reads an integer of variable length. null: it ends outside, or is no size or rowid of a library. */
const readVarint = (bytes: Buffer, start: number): { value: number; end: number } | null => {
  let value = 0
  for (let at = start; at < Math.min(start + 8, bytes.length); at += 1) {
    const byte = bytes.readUInt8(at)
    value = value * 128 + (byte & 127)
    if (byte < 128) return Number.isSafeInteger(value) ? { value, end: at + 1 } : null
  }
  return null
}
