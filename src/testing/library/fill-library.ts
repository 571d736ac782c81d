import { createHash } from 'node:crypto'
import { linkSync, mkdirSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import pLimit from 'p-limit'
import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import { storedExtensionOf } from '#contract/media-types.ts'
import { drawPicture } from '#demo/draw-picture.ts'
import type { NewImage } from '#server/core/images/image-ports.ts'
import type { ImageCodec } from '#server/core/images/picture-ports.ts'
import type { Records } from '#server/core/record-ports.ts'
import { imagePath } from '#server/storage/disk/image-path.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { openImageCodec } from '#server/storage/thumbnails/image-codec.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

const IMAGES_A_UNIT = 5_000
const ABREAST = 3
const DRAWN_AT = new Date('2023-01-01')
const NEWEST = Date.UTC(2026, 10, 21)
/** A prime number. Its multiples visit each image of a library once, in an order that looks random. */
const STRIDE = 7919
/** Shapes of images: width and height as fractions of the longest side. */
const SHAPES = [
  [1, 2 / 3],
  [2 / 3, 1],
  [1, 1],
  [1, 4 / 7],
] as const

/** A drawn image on the disk with its thumbnail, and its row without the name. */
interface Drawn {
  file: string
  thumbnail: string
  row: Omit<NewImage, 'image_name' | 'file_name' | 'created_at' | 'taken_at' | 'starred'>
}

/** Size of a library and of its images. */
export interface LibrarySize {
  imageCount: number
  /** Number of different images. */
  pictureCount: number
  longestPx: number
  /**
   * Number of years, up to December 2025, over whose months the dates taken are spread evenly, on the first
   * days of each month at noon. If absent, images have no date taken.
   */
  takenYears?: number
  /** Boards with their number of images, which are spread evenly over all dates. The other images are in Assets. */
  boards?: readonly FilledBoard[]
}

/** A board of a filled library. */
export interface FilledBoard {
  name: string
  imageCount: number
}

/**
 * Fills a data folder with a library of any size: each row has its file and its thumbnail, which are hard
 * links to a few drawn ones. One image in fifty is starred.
 */
export async function fillLibrary(
  dataFolder: string,
  { imageCount, pictureCount, longestPx, takenYears, boards = [] }: LibrarySize,
): Promise<void> {
  await mkdir(dataFolder, { recursive: true })
  const drawnFolder = await mkdtemp(join(dataFolder, 'drawn-'))
  const pictures = await drawPictures(drawnFolder, Math.min(imageCount, pictureCount), longestPx)
  const records = await openRecords({ dataFolder })
  const boardIds = await createBoards(records, boards, imageCount)
  for (let start = 0; start < imageCount; start += IMAGES_A_UNIT) {
    const size = Math.min(IMAGES_A_UNIT, imageCount - start)
    const images = Array.from({ length: size }, (_, at) => {
      const index = start + at
      // The stride gives neighbors different images. Identical neighbors would be decoded only once.
      const drawn = pictures[(index * STRIDE) % pictures.length]
      if (drawn === undefined) throw new Error('nothing was drawn')
      const taken_at = takenYears === undefined ? null : takenAt(index, imageCount, takenYears)
      const board_id = boardIds[(index * STRIDE) % imageCount] ?? null
      return { ...addFiles(dataFolder, drawn, index, imageCount), taken_at, board_id }
    })
    await records.images.addMany(images)
  }
  await records.close()
  await rm(drawnFolder, { recursive: true })
}

/** Returns the file name of an image of a filled library. Index 0 is the oldest. */
export const nameOfFile = (index: number): string =>
  `picture-${index.toString().padStart(6, '0')}.png`

/** Creates the boards and returns the id of the board for each of their images. */
async function createBoards(
  records: Records,
  boards: readonly FilledBoard[],
  imageCount: number,
): Promise<string[]> {
  const ids: string[] = []
  for (const { name, imageCount: count } of boards) {
    const board = await records.boards.create({ board_name: name, board_visibility: 'private' })
    for (let at = 0; at < count; at += 1) ids.push(board.board_id)
  }
  if (ids.length > imageCount) throw new Error('The boards have more images than the library.')
  return ids
}

function takenAt(index: number, imageCount: number, years: number): number {
  const aMonth = imageCount / (12 * years)
  return Date.UTC(2026 - years, Math.floor(index / aMonth), 1 + (index % aMonth), 12)
}

function addFiles(
  dataFolder: string,
  drawn: Drawn,
  index: number,
  imageCount: number,
): Omit<NewImage, 'taken_at'> {
  const id = `01890000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`
  const name = `${id}.${storedExtensionOf(drawn.row.media_type)}`
  const thumbnails = join(dataFolder, 'thumbnails', String(THUMBNAIL_SIZES[0]))
  link(drawn.file, imagePath(join(dataFolder, 'images'), name))
  link(drawn.thumbnail, imagePath(thumbnails, name, `${name}.webp`))
  const created_at = NEWEST - (imageCount - index) * 60_000
  const file_name = nameOfFile(index)
  return { ...drawn.row, image_name: name, file_name, created_at, starred: index % 50 === 7 }
}

function link(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    mkdirSync(dirname(to), { recursive: true })
    linkSync(from, to)
  }
}

async function drawPictures(folder: string, count: number, longestPx: number): Promise<Drawn[]> {
  const codec = openImageCodec({ maxPixels: 10_000_000 })
  const seeds = Array.from({ length: count }, (_, seed) => seed)
  return pLimit(ABREAST).map(seeds, (seed) => draw(codec, folder, seed, longestPx))
}

async function draw(
  codec: ImageCodec,
  folder: string,
  seed: number,
  longestPx: number,
): Promise<Drawn> {
  const [width, height] = SHAPES[seed % SHAPES.length] ?? SHAPES[0]
  const widthPx = Math.round(width * longestPx)
  const heightPx = Math.round(height * longestPx)
  const picture = await drawPicture({ seed, kind: 'invokeai', widthPx, heightPx })
  const file = join(folder, `${seed}.png`)
  const thumbnail = join(folder, `${seed}.webp`)
  await writeFile(file, picture.bytes)
  // Not modified after the time in the names of the images, or else the server would hash every file before a download.
  await utimes(file, DRAWN_AT, DRAWN_AT)
  const decoded = await codec.decode(file)
  await writeFile(thumbnail, decoded.thumbnail)
  const row = {
    board_id: null,
    image_origin: 'external',
    image_category: 'general',
    is_intermediate: false,
    session_id: null,
    node_id: null,
    width: decoded.width,
    height: decoded.height,
    file_size: picture.bytes.length,
    media_type: decoded.mediaType,
    content_hash: createHash('sha256').update(picture.bytes).digest('hex'),
    thumbhash: decoded.thumbhash,
    fingerprint: decoded.fingerprint,
    is_animated: decoded.isAnimated,
    upload_id: null,
    metadata: decoded.metadata,
  } as const
  return { file, thumbnail, row }
}

/**
 * Filled libraries for the tests of a worker. Each size is made once and then copied: the database as a file,
 * images as hard links.
 */
export class PreparedLibraries {
  readonly #pictures: Pick<LibrarySize, 'pictureCount' | 'longestPx'>
  readonly #folders = new Map<string, string>()

  constructor(pictures: Pick<LibrarySize, 'pictureCount' | 'longestPx'>) {
    this.#pictures = pictures
  }

  /** Copies a library into an empty data folder. */
  async copyInto(
    dataFolder: string,
    size: Partial<LibrarySize> & Pick<LibrarySize, 'imageCount'>,
  ): Promise<void> {
    const key = JSON.stringify(size)
    const source = this.#folders.get(key) ?? (await createTemporaryFolder())
    if (!this.#folders.has(key)) await fillLibrary(source, { ...this.#pictures, ...size })
    this.#folders.set(key, source)
    const entries = await readdir(source, { recursive: true, withFileTypes: true })
    for (const entry of entries) {
      const from = join(entry.parentPath, entry.name)
      const to = join(dataFolder, relative(source, from))
      if (entry.isDirectory()) mkdirSync(to, { recursive: true })
      // The server modifies the database in place and replaces every other file.
      else if (entry.name.startsWith('tessera.db')) await copyFile(from, to)
      else link(from, to)
    }
  }

  async remove(): Promise<void> {
    for (const folder of this.#folders.values()) await removeFolder(folder)
  }
}
