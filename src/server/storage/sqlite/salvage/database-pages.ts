import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'

const MAGIC = 'SQLite format 3\0'
const DEFAULT_PAGE_SIZE = 4096
const LOG_HEADER_SIZE = 32
const FRAME_HEADER_SIZE = 24

/**
 * The pages of a database that SQLite may refuse to open, each in its newest intact version. The file format is that of
 * https://www.sqlite.org/fileformat2.html. Nothing is changed, so the log keeps what SQLite would drop.
 */
export class DatabasePages {
  readonly pageSize: number
  /** Size of the part of a page that SQLite uses. */
  readonly usableSize: number
  /** Number of pages that there should be. */
  readonly count: number
  /** Number of frames of the log after a damaged one. SQLite ignores them. */
  readonly framesAfterDamage: number
  readonly #file: number
  readonly #log: number | null
  /** Positions in the log of the newest version of pages. */
  readonly #inLog: ReadonlyMap<number, number>

  constructor(path: string) {
    this.#file = openSync(path, 'r')
    this.#log = existsSync(`${path}-wal`) ? openSync(`${path}-wal`, 'r') : null
    const header = readAt(this.#file, 0, 100)
    const isHeader = header.toString('latin1', 0, MAGIC.length) === MAGIC
    const logHeader = this.#log === null ? null : logHeaderOf(readAt(this.#log, 0, LOG_HEADER_SIZE))
    this.pageSize =
      validSize(isHeader ? header.readUInt16BE(16) : 0) ?? logHeader?.pageSize ?? DEFAULT_PAGE_SIZE
    this.usableSize = this.pageSize - (isHeader ? header.readUInt8(20) : 0)
    const frames =
      this.#log !== null && logHeader?.pageSize === this.pageSize
        ? readLog(this.#log, logHeader)
        : { positions: new Map<number, number>(), afterDamage: 0 }
    this.#inLog = frames.positions
    this.framesAfterDamage = frames.afterDamage
    const { size } = fstatSync(this.#file)
    const expected = isHeader && size > 0 ? header.readUInt32BE(28) : 0
    const inFile = Math.ceil(size / this.pageSize)
    // A header with a random page count must not make a loop of four billion rounds.
    const inHeader = expected < inFile * 16 + 1024 ? expected : 0
    this.count = [...this.#inLog.keys()].reduce(
      (most, page) => Math.max(most, page),
      Math.max(inFile, inHeader),
    )
  }

  /** Returns a page, numbered from 1. null: it is missing or incomplete. */
  read(page: number): Buffer | null {
    if (page < 1 || page > this.count) return null
    const position = this.#inLog.get(page)
    const bytes =
      position !== undefined && this.#log !== null
        ? readAt(this.#log, position, this.pageSize)
        : readAt(this.#file, (page - 1) * this.pageSize, this.pageSize)
    return bytes.length === this.pageSize ? bytes : null
  }

  [Symbol.dispose](): void {
    closeSync(this.#file)
    if (this.#log !== null) closeSync(this.#log)
  }
}

const readAt = (file: number, position: number, size: number): Buffer => {
  const bytes = Buffer.alloc(size)
  return bytes.subarray(0, readSync(file, bytes, 0, size, position))
}

/** 1 stands for 65,536. */
const validSize = (stored: number): number | null => {
  const size = stored === 1 ? 65_536 : stored
  return size >= 512 && size <= 65_536 && Number.isInteger(Math.log2(size)) ? size : null
}

interface LogHeader {
  pageSize: number
  isBigEndian: boolean
  /** Both salts. Frames of an earlier run of the log have others. */
  salts: Buffer
  sums: [number, number]
}

const logHeaderOf = (bytes: Buffer): LogHeader | null => {
  if (bytes.length < LOG_HEADER_SIZE) return null
  const magic = bytes.readUInt32BE(0)
  const pageSize = validSize(bytes.readUInt32BE(8))
  if (magic >>> 1 !== 0x377f0682 >>> 1 || pageSize === null) return null
  return {
    pageSize,
    isBigEndian: (magic & 1) === 1,
    salts: bytes.subarray(16, 24),
    sums: [bytes.readUInt32BE(24), bytes.readUInt32BE(28)],
  }
}

/**
 * Finds the newest intact version of each committed page. Each frame is checked from the sum that its predecessor
 * states, so that one damaged frame does not hide the intact ones behind it.
 */
const readLog = (log: number, { pageSize, isBigEndian, salts, sums }: LogHeader) => {
  const positions = new Map<number, number>()
  const uncommitted = new Map<number, number>()
  const size = FRAME_HEADER_SIZE + pageSize
  let before = sums
  let isDamaged = false
  let afterDamage = 0
  let sinceCommit = 0
  for (let at = LOG_HEADER_SIZE; ; at += size) {
    const frame = readAt(log, at, size)
    if (frame.length < size) break
    const stated: [number, number] = [frame.readUInt32BE(16), frame.readUInt32BE(20)]
    const isCurrent = frame.subarray(8, 16).equals(salts)
    const computed = sumOf([frame.subarray(0, 8), frame.subarray(24)], before, isBigEndian)
    before = stated
    if (!isCurrent || computed[0] !== stated[0] || computed[1] !== stated[1]) {
      isDamaged = true
      continue
    }
    uncommitted.set(frame.readUInt32BE(0), at + FRAME_HEADER_SIZE)
    if (isDamaged) sinceCommit += 1
    if (frame.readUInt32BE(4) === 0) continue
    for (const [page, position] of uncommitted) positions.set(page, position)
    uncommitted.clear()
    afterDamage += sinceCommit
    sinceCommit = 0
  }
  return { positions, afterDamage }
}

const sumOf = (
  parts: readonly Buffer[],
  [first, second]: readonly [number, number],
  isBigEndian: boolean,
): [number, number] => {
  let [a, b] = [first, second]
  for (const part of parts) {
    const view = new DataView(part.buffer, part.byteOffset, part.byteLength)
    for (let at = 0; at < part.length; at += 8) {
      a = (a + view.getUint32(at, !isBigEndian) + b) >>> 0
      b = (b + view.getUint32(at + 4, !isBigEndian) + a) >>> 0
    }
  }
  return [a, b]
}
