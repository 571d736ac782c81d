import { existsSync, linkSync, writeFileSync } from 'node:fs'
import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { NormalMetadata } from '#contract/metadata.ts'
import { describePicture, type PictureDescription } from '#demo/describe-picture.ts'
import type { NewImage } from '#server/core/images/image-ports.ts'
import type { Records } from '#server/core/record-ports.ts'
import { imageFolders, imagePath } from '#server/storage/disk/image-path.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { createTemporaryFolder } from '#testing/temporary-folder.ts'

const IMAGES_A_UNIT = 5_000
const BOARDS = 300
const NEWEST = Date.UTC(2026, 10, 21)
const DAY_MS = 86_400_000
/** A million images span almost six years. */
export const MS_APART = 180_000

/** In every prompt except one in a hundred. */
export const FREQUENT_WORD = 'detailed'
/** In a tenth of the prompts. */
export const USUAL_WORD = 'lighthouse'
/** In one of ten thousand prompts. */
export const RARE_WORD = 'quokka'

/** Returns the name of an image of a filled library. */
export const nameAt = (index: number): string =>
  `01890000-0000-7000-8000-${index.toString(16).padStart(12, '0')}.png`

export interface FillOptions {
  /** True: a tenth of the rows are videos instead of images. Their indexes end in 4. Default: false. */
  hasVideos?: boolean
}

/**
 * Fills a library with rows only: 300 boards, one of them with half of all images, a fifth uncategorized, 2 %
 * starred, 1 % intermediate, 4 % with a category other than `general`, a quarter taken before they arrived, a quarter
 * rated, a third with tags.
 *
 * @returns The id of the board with half of the images.
 */
export const fillRecords = async (
  records: Records,
  count: number,
  { hasVideos = false }: FillOptions = {},
): Promise<string> => {
  const boardIds: string[] = []
  for (let at = 0; at < BOARDS; at += 1) {
    const board = { board_name: `Board ${at}`, board_visibility: 'shared' } as const
    boardIds.push((await records.boards.create(board)).board_id)
  }
  for (let from = 0; from < count; from += IMAGES_A_UNIT) {
    const size = Math.min(IMAGES_A_UNIT, count - from)
    const images = Array.from({ length: size }, (_, at) => imageAt(from + at, count, boardIds))
    await records.images.addMany(hasVideos ? images.map(withVideos) : images)
  }
  return boardIds[0] ?? ''
}

/**
 * Returns the data folder of a filled library below `folder`. Fills it on first use and keeps it, because a
 * million rows take minutes.
 */
export const filledLibrary = async (
  folder: string,
  rows: number,
  { hasFiles = false, hasVideos = false }: { hasFiles?: boolean } & FillOptions = {},
): Promise<string> => {
  const dataFolder = join(folder, `records-${rows}${hasVideos ? '-videos' : ''}`)
  if (!existsSync(dataFolder)) await fillFolder(dataFolder, rows, { hasVideos })
  const isWithFiles = existsSync(join(dataFolder, 'images', 'ff'))
  if (hasFiles && !isWithFiles) await addFiles(dataFolder, rows)
  return dataFolder
}

const fillFolder = async (
  dataFolder: string,
  rows: number,
  options: FillOptions,
): Promise<void> => {
  // Renamed at the end, so that an interrupted run leaves no half-filled library.
  const unfinished = `${dataFolder}-unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true })
  const records = await openRecords({ dataFolder: unfinished })
  await fillRecords(records, rows, options)
  await records.close()
  await rename(unfinished, dataFolder)
}

/** Links per file. ext4 allows 65,000. */
const LINKS_A_FILE = 50_000

/** Adds a file to each image, all with the same few bytes. Without files, a server would report them as missing. */
const addFiles = async (dataFolder: string, rows: number): Promise<void> => {
  const imagesFolder = join(dataFolder, 'images')
  for (const folder of imageFolders) await mkdir(join(imagesFolder, folder), { recursive: true })
  let source = ''
  for (let index = 0; index < rows; index += 1) {
    const path = imagePath(imagesFolder, nameAt(index))
    if (index % LINKS_A_FILE === 0) writeFileSync(path, 'no picture')
    else linkSync(source, path)
    if (index % LINKS_A_FILE === 0) source = path
  }
}

/**
 * Makes a temporary data folder with this many rows and their files, for benchmarks that write. Zero rows: a
 * new library. Without the files, the server would look for a million missing ones.
 */
export const copyOfLibrary = async (folder: string, rows: number): Promise<string> => {
  const dataFolder = await copyOfRecords(folder, rows)
  await addFiles(dataFolder, rows)
  return dataFolder
}

/** Makes the same without files, for benchmarks that start no server. */
export const copyOfRecords = async (folder: string, rows: number): Promise<string> => {
  const dataFolder = await createTemporaryFolder()
  if (rows === 0) return dataFolder
  const filled = await filledLibrary(folder, rows)
  await copyFile(join(filled, 'tessera.db'), join(dataFolder, 'tessera.db'))
  return dataFolder
}

/** Returns the folder of `--libraries`, or a temporary one. */
export const librariesFolder = async (option: string | undefined): Promise<string> =>
  option ?? (await createTemporaryFolder())

const imageAt = (index: number, count: number, boardIds: readonly string[]): NewImage => {
  const picture = describePicture(index)
  const createdAt = NEWEST - (count - index) * MS_APART
  return {
    image_name: nameAt(index),
    board_id: boardOf(index, boardIds),
    image_origin: index % 10 === 0 ? 'external' : 'internal',
    image_category: index % 25 === 1 ? 'user' : 'general',
    is_intermediate: index % 100 === 3,
    session_id: null,
    node_id: null,
    width: picture.widthPx,
    height: picture.heightPx,
    file_name: picture.fileName,
    file_size: 500_000 + ((index * 7919) % 4_000_000),
    media_type: picture.mediaType,
    // Hashes are compared by their first eight bytes.
    content_hash: index.toString(16).padStart(16, '0').padEnd(64, '0'),
    thumbhash: new Uint8Array(25).fill(index % 256),
    fingerprint: fingerprintAt(index),
    is_animated: false,
    taken_at: index % 4 === 0 ? createdAt - ((index * 7919) % 1000) * DAY_MS : null,
    created_at: createdAt,
    starred: index % 50 === 7,
    rating: index % 4 === 0 ? 1 + (index % 5) : 0,
    tags: tagsOf(index),
    upload_id: null,
    metadata: { invokeai: null, normal: normalOf(picture, index), workflow: null, graph: null },
  }
}

/** Words that differ in all bits. One image in 50 has nearly the same ones as the image before it. */
export const fingerprintAt = (index: number): readonly number[] => {
  const isCopy = index % 50 === 7
  const word = (salt: number) => {
    let bits = Math.imul((isCopy ? index - 1 : index) + salt * 0x85ebca6b, 0x9e3779b1)
    bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca77)
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae3d)
    return (bits ^ (bits >>> 16)) >>> 0
  }
  const color = (salt: number) => word(salt) & 0x3fffffff
  const hash = [word(1) & 0xfffeffff, word(2) & 0xfffffffe]
  return [
    ...hash.map((bits, at) => (isCopy ? (bits ^ (2 << at)) >>> 0 : bits >>> 0)),
    color(3),
    color(4),
    color(5),
  ]
}

const withVideos = (image: NewImage, at: number): NewImage =>
  at % 10 === 4
    ? {
        ...image,
        image_name: image.image_name.replace('.png', '.mp4'),
        media_type: 'video/mp4',
        video: {
          duration_ms: 1_000 + ((at * 7_919) % 90_000),
          frame_rate: 24_000,
          codec: 'h264',
          has_sound: false,
        },
      }
    : image

const boardOf = (index: number, boardIds: readonly string[]): string | null => {
  if (index % 10 < 5) return boardIds[0] ?? null
  if (index % 10 < 7) return null
  return boardIds[1 + (index % (boardIds.length - 1))] ?? null
}

/** Returns a number below `count`. Small ones are frequent, as models are: the first tenth has almost half. */
const rankOf = (index: number, count: number): number =>
  Math.floor(count * ((((index + 1) * 2_654_435_761) % 2 ** 32) / 2 ** 32) ** 3)

const lorasOf = (index: number): NormalMetadata['loras'] =>
  Array.from({ length: index % 3 }, (_, at) => ({
    name: `LoRA ${rankOf(index * 3 + at, 3_000)}`,
    weight: 1,
  }))

/** Every third image has one or two of 20,000 tags, which are on 200 levels. */
const tagsOf = (index: number): readonly string[] =>
  index % 3 === 0
    ? Array.from({ length: 1 + (index % 2) }, (_, at) => tagAt(rankOf(index * 2 + at, 20_000)))
    : []

/** Returns the name of a tag of a filled library. */
export const tagAt = (rank: number): string => `level ${rank % 200}/tag ${rank}`

const normalOf = (picture: PictureDescription, index: number): NormalMetadata => ({
  generator: 'a1111',
  prompt: [
    picture.prompt,
    ...(index % 100 === 0 ? [] : [FREQUENT_WORD]),
    ...(index % 10 === 2 ? [USUAL_WORD] : []),
    ...(index % 10_000 === 5 ? [RARE_WORD] : []),
  ].join(', '),
  negative_prompt: picture.negativePrompt,
  model: `${picture.model} ${rankOf(index, 1_000)}`,
  seed: picture.seed,
  steps: picture.steps,
  cfg_scale: picture.cfgScale,
  sampler: picture.sampler,
  scheduler: picture.scheduler,
  loras: lorasOf(index),
  width: picture.widthPx,
  height: picture.heightPx,
  camera: null,
  lens: null,
  exposure: null,
  raw: {},
})
