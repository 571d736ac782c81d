import { type JpegPage, pdfOfJpegs } from '#contract/downloads/pdf-of-jpegs.ts'
import {
  type Box,
  fitInto,
  layOutSheet,
  SHEET_COLORS,
  SHEET_PICTURE_PX,
  type SheetFormat,
  type SheetPage,
  shortened,
} from '#contract/downloads/sheet-layout.ts'
import type { ImageRecord } from '#contract/image.ts'
import type { DownloadRequest } from '#gallery/api/downloads/download-request.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { fileOfCanvas } from '#gallery/ui/files/canvas-file.ts'
import { saveFile } from '#gallery/ui/files/save-file.ts'
import { fileNameOf } from '#gallery/ui/text/names.ts'

export interface SheetForm {
  readonly format: SheetFormat
  readonly columns: number
  readonly hasNames: boolean
}

/** Pictures that are loaded at the same time. */
const CONCURRENCY = 6

/**
 * Draws a contact sheet in the browser, which has fonts for all scripts, and saves it.
 *
 * @throws {RefusedError | ConnectionError | Error} The records did not load, or the browser cannot draw the sheet.
 */
export async function saveSheet(
  api: GalleryApi,
  request: DownloadRequest,
  form: SheetForm,
  signal: AbortSignal,
): Promise<void> {
  const records = await request.records(request.count)
  const pages = layOutSheet(form.format, { ...form, count: records.length })
  const drawn: JpegPage[] = []
  let from = 0
  for (const page of pages) {
    const onPage = records.slice(from, from + page.boxes.length)
    from += onPage.length
    const canvas = await drawPage(api, page, onPage, form, signal)
    signal.throwIfAborted()
    if (form.format === 'png') {
      saveFile('Contact sheet.png', await fileOfCanvas(canvas, 'image/png'), 'image/png')
      return
    }
    const jpeg = await (await fileOfCanvas(canvas, 'image/jpeg')).arrayBuffer()
    drawn.push({ jpeg: new Uint8Array(jpeg), width: page.width, height: page.height })
  }
  const pdf = new Blob(pdfOfJpegs(drawn), { type: 'application/pdf' })
  saveFile('Contact sheet.pdf', pdf, 'application/pdf')
}

async function drawPage(
  api: GalleryApi,
  page: SheetPage,
  records: readonly ImageRecord[],
  { hasNames }: SheetForm,
  signal: AbortSignal,
): Promise<HTMLCanvasElement> {
  const canvas = document.createElement('canvas')
  canvas.width = page.width
  canvas.height = page.height
  const pen = canvas.getContext('2d')
  if (pen === null) throw new Error('This browser cannot draw the contact sheet.')
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, page.width, page.height)
  const queue = records.entries()
  const work = async () => {
    for (const [index, record] of queue) {
      const box = page.boxes[index]
      if (box === undefined || signal.aborted) return
      await drawPicture(pen, box, api.client.images.thumbnailUrl(record, SHEET_PICTURE_PX), signal)
      if (hasNames) writeName(pen, box, fileNameOf(record), page.textPx)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return canvas
}

/** Draws a thumbnail. One that does not load leaves a grey box. */
async function drawPicture(
  pen: CanvasRenderingContext2D,
  box: Box,
  url: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    const response = await fetch(url, { signal })
    const picture = await createImageBitmap(await response.blob())
    const { x, y, width, height } = fitInto(box, picture)
    pen.drawImage(picture, x, y, width, height)
    picture.close()
  } catch {
    pen.fillStyle = SHEET_COLORS.missing
    pen.fillRect(box.x, box.y, box.width, box.height)
  }
}

function writeName(pen: CanvasRenderingContext2D, box: Box, name: string, textPx: number): void {
  pen.fillStyle = SHEET_COLORS.name
  pen.font = `${textPx}px system-ui, sans-serif`
  pen.textAlign = 'center'
  pen.textBaseline = 'top'
  const text = fitting(name, (part) => pen.measureText(part).width <= box.width)
  pen.fillText(text, box.x + box.width / 2, box.y + box.height + textPx / 3)
}

/** Returns the longest form of a text that fits. */
function fitting(text: string, fits: (text: string) => boolean): string {
  const { length } = [...text]
  for (let kept = length; kept > 1; kept--) {
    const short = shortened(text, kept)
    if (fits(short)) return short
  }
  return '…'
}
