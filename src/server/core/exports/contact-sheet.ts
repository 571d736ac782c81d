import { isImageType } from '#contract/downloads/converted-type.ts'
import { type JpegPage, type PdfPart, pdfOfJpegs } from '#contract/downloads/pdf-of-jpegs.ts'
import {
  layOutSheet,
  MAX_ON_SHEET,
  SHEET_PICTURE_PX,
  type SheetFormat,
  type SheetPage,
} from '#contract/downloads/sheet-layout.ts'
import type { OriginalCheck } from '#server/core/images/original-check.ts'
import type { ImageCodec } from '#server/core/images/picture-ports.ts'
import type { ImageFiles, ThumbnailFiles } from '#server/core/intake/file-ports.ts'
import { orRefuse, Refusal } from '#server/core/refusal.ts'
import { addReason, noReasons, type Reasons } from './converted-export.ts'
import type { ExportRecords, ImageToExport } from './export-ports.ts'
import { boardIdsOf, type ExportRequest } from './export-service.ts'
import { reasonOf } from './picture-forms.ts'
import { walkExport, workOnAll } from './walk-export.ts'

/** A picture on a sheet. */
export interface SheetPicture {
  /** Any format that the server decodes. null: a grey box. */
  picture: Uint8Array | null
  /** null: without a name. */
  name: string | null
}

/** Draws one page as JPEG or PNG. `damaged`: positions of the pictures that cannot be decoded and became grey boxes. */
export type DrawSheetPage = (
  page: SheetPage,
  pictures: readonly SheetPicture[],
  format: 'jpeg' | 'png',
) => Promise<{ bytes: Uint8Array<ArrayBuffer>; damaged: readonly number[] }>

export interface SheetRequest extends Pick<ExportRequest, 'boards'> {
  format: SheetFormat
  columns: number
  hasNames: boolean
}

/** Progress of a contact sheet, in images. */
export interface SheetProgress {
  found: number
  drawn: number
  /** Images with a grey box. */
  missing: Reasons
}

export interface SheetParts {
  records: ExportRecords
  files: Pick<ImageFiles, 'local'>
  originals: Pick<OriginalCheck, 'assertWhole'>
  thumbnails: Pick<ThumbnailFiles, 'read'>
  codec: Pick<ImageCodec, 'thumbnail'>
  draw: DrawSheetPage
  /** Called when a picture is missing for a reason that is not a refusal. */
  onFailure: (error: unknown) => void
}

/**
 * Draws a contact sheet of a library, as the page does.
 *
 * @returns The parts of the file. null: `signal` was aborted.
 * @throws {Refusal} `board_not_found`, with the name of the board. `nothing_to_download`: there are no images, or too many.
 */
export const drawContactSheet = async (
  parts: SheetParts,
  { boards, format, columns, hasNames }: SheetRequest,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (now: SheetProgress) => void },
): Promise<{ content: PdfPart[]; progress: SheetProgress } | null> => {
  const { records, draw } = parts
  const boardIds = await boardIdsOf(boards, records)
  const images: ImageToExport[] = []
  assertFits(await records.count(boardIds), format)
  await walkExport(records, { boardIds, signal }, async (page) => {
    // Metadata of many images may be large.
    images.push(...page.map((image) => ({ ...image, invokeai: null, workflow: null, graph: null })))
    assertFits(images.length, format)
  })
  if (signal.aborted) return null
  const progress: SheetProgress = { found: images.length, drawn: 0, missing: noReasons() }
  const pages: JpegPage[] = []
  let from = 0
  for (const page of layOutSheet(format, { count: images.length, columns, hasNames })) {
    const onPage = images.slice(from, from + page.boxes.length)
    from += onPage.length
    const pictures: SheetPicture[] = []
    await workOnAll(onPage, signal, async (image, at) => {
      const picture = await pictureOf(parts, image, progress)
      pictures[at] = { picture, name: hasNames ? (image.file_name ?? image.image_name) : null }
      progress.drawn++
      onProgress(progress)
    })
    if (signal.aborted) return null
    const encoding = format === 'png' ? 'png' : 'jpeg'
    let drawn = await draw(page, pictures, encoding)
    if (drawn.damaged.length > 0) {
      // A power failure can damage stored thumbnails, which are not flushed.
      for (const [at, image] of onPage.entries()) {
        const shown = pictures[at]
        if (shown && drawn.damaged.includes(at))
          shown.picture = await newPictureOf(parts, image, progress)
      }
      drawn = await draw(page, pictures, encoding)
    }
    if (format === 'png') return { content: [drawn.bytes], progress }
    pages.push({ jpeg: drawn.bytes, width: page.width, height: page.height })
  }
  return { content: pdfOfJpegs(pages), progress }
}

const assertFits = (count: number, format: SheetFormat): void => {
  const max = MAX_ON_SHEET[format]
  if (count === 0) throw new Refusal('nothing_to_download', 'There are no images for the sheet.')
  if (count <= max) return
  const other = format === 'png' && count <= MAX_ON_SHEET.pdf ? ', or a .pdf file' : ''
  throw new Refusal(
    'nothing_to_download',
    `A contact sheet as ${format.toUpperCase()} has at most ${max} images, and these are ${count}. Choose boards with --board${other}.`,
  )
}

/** Returns the stored thumbnail, or a new one. null: the image cannot be read. */
const pictureOf = async (
  parts: SheetParts,
  image: ImageToExport,
  progress: SheetProgress,
): Promise<Uint8Array | null> => {
  const { image_name } = image
  const stored = await parts.thumbnails.read(image_name, SHEET_PICTURE_PX).catch(() => null)
  return stored ?? newPictureOf(parts, image, progress)
}

const newPictureOf = async (
  { files, originals, codec, onFailure }: SheetParts,
  image: ImageToExport,
  { missing }: SheetProgress,
): Promise<Uint8Array | null> => {
  const { image_name, media_type, poster_ms } = image
  try {
    await originals.assertWhole(image)
    await using file = orRefuse(await files.local(image_name), 'image_not_found')
    const kind = isImageType(media_type) ? 'image' : 'video'
    return await codec.thumbnail(file.path, SHEET_PICTURE_PX, kind, poster_ms)
  } catch (error) {
    addReason(missing, image, reasonOf(error, onFailure))
    return null
  }
}
