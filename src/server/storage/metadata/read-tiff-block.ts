/** Reads bytes of a file; fewer at its end. */
export type ReadPart = (at: number, bytes: number) => Promise<Buffer>

const MAX_ENTRIES = 500
const MAX_VALUE_BYTES = 1024 * 1024
const MAX_BYTES = 8 * 1024 * 1024
const EXIF_POINTER = 0x8769
/** Bytes of a value by its type: BYTE, ASCII, SHORT, LONG, RATIONAL and their signed forms. 129 is UTF-8. */
const typeBytes = new Map([1, 1, 2, 4, 8, 1, 1, 2, 4, 8].map((bytes, index) => [index + 1, bytes]))
typeBytes.set(129, 1)

interface Entry {
  head: Buffer
  /** null: the value is in the head. */
  value: Buffer | null
}

/** Reads the tags of one directory. Leaves out values that are too large, such as the places of the pixels. */
const readDirectory = async (
  read: ReadPart,
  at: number,
  isBigEndian: boolean,
): Promise<Entry[]> => {
  const short = (part: Buffer, from: number) =>
    isBigEndian ? part.readUInt16BE(from) : part.readUInt16LE(from)
  const long = (part: Buffer, from: number) =>
    isBigEndian ? part.readUInt32BE(from) : part.readUInt32LE(from)
  const count = await read(at, 2)
  if (count.length < 2) return []
  const heads = await read(at + 2, 12 * Math.min(short(count, 0), MAX_ENTRIES))
  const entries: Entry[] = []
  let left = MAX_BYTES
  for (let from = 0; from + 12 <= heads.length; from += 12) {
    const head = Buffer.from(heads.subarray(from, from + 12))
    const bytes = (typeBytes.get(short(head, 2)) ?? Number.POSITIVE_INFINITY) * long(head, 4)
    if (bytes > Math.min(MAX_VALUE_BYTES, left)) continue
    const value = bytes > 4 ? await read(long(head, 8), bytes) : null
    left -= bytes
    if (value === null || value.length === bytes) entries.push({ head, value })
  }
  return entries
}

/**
 * Copies the tags of a TIFF's first page into an EXIF block, because the decoder returns none. The directory of a TIFF
 * can be anywhere in the file.
 */
export const readTiffBlock = async (read: ReadPart): Promise<Buffer | null> => {
  const header = await read(0, 8)
  const isBigEndian = header.toString('latin1', 0, 4) === 'MM\0*'
  if (header.length < 8 || (!isBigEndian && header.toString('latin1', 0, 4) !== 'II*\0'))
    return null
  const start = isBigEndian ? header.readUInt32BE(4) : header.readUInt32LE(4)
  const setLong = (part: Buffer, value: number, from: number) =>
    isBigEndian ? part.writeUInt32BE(value, from) : part.writeUInt32LE(value, from)
  const setShort = (part: Buffer, value: number, from: number) =>
    isBigEndian ? part.writeUInt16BE(value, from) : part.writeUInt16LE(value, from)

  const image = await readDirectory(read, start, isBigEndian)
  const pointer = image.find(
    ({ head }) => (isBigEndian ? head.readUInt16BE(0) : head.readUInt16LE(0)) === EXIF_POINTER,
  )
  const exifAt =
    pointer && (isBigEndian ? pointer.head.readUInt32BE(8) : pointer.head.readUInt32LE(8))
  const photo = exifAt === undefined ? [] : await readDirectory(read, exifAt, isBigEndian)

  const directoryBytes = (entries: readonly Entry[]) => 2 + 12 * entries.length + 4
  const photoStart = 8 + directoryBytes(image)
  if (pointer !== undefined) setLong(pointer.head, photoStart, 8)
  setLong(header, 8, 4)
  const parts = [header]
  const values: Buffer[] = []
  let valueAt = photoStart + directoryBytes(photo)
  for (const entries of [image, photo]) {
    const count = Buffer.alloc(2)
    setShort(count, entries.length, 0)
    for (const { head, value } of entries) {
      if (value === null) continue
      setLong(head, valueAt, 8)
      values.push(value)
      valueAt += value.length
    }
    parts.push(count, ...entries.map(({ head }) => head), Buffer.alloc(4))
  }
  return Buffer.concat([...parts, ...values])
}
