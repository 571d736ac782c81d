/** The images of a contact sheet and their arrangement. */
export interface SheetOptions {
  readonly count: number
  readonly columns: number
  readonly hasNames: boolean
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A page in pixels. */
export interface SheetPage {
  readonly width: number
  readonly height: number
  /** Size of the text in pixels. */
  readonly textPx: number
  /** The boxes of its pictures. Names are below them. */
  readonly boxes: readonly Box[]
}

export const MAX_COLUMNS = 10

export const DEFAULT_COLUMNS = 4

/** Longest side of the thumbnails, which are sharp on paper. */
export const SHEET_PICTURE_PX = 384

export const SHEET_COLORS = { name: '#222222', missing: '#dddddd' } as const

/** Maximum number of images on a sheet. A PNG has fewer, because browsers limit the size of a picture. */
export const MAX_ON_SHEET = { png: 200, pdf: 1000 } as const
export type SheetFormat = keyof typeof MAX_ON_SHEET

/** A4 with 150 dots per inch. */
const PDF_PAGE = { width: 1240, height: 1754 }

const PNG_WIDTH = 1600
/** The largest picture that Safari draws. */
const MAX_PNG_SIDE = 16_000
const MAX_PNG_PIXELS = 16_000_000

const MARGIN = 40
const GAP = 16
const TEXT_PX = 18
const NAME_HEIGHT = 30

/** Returns the pages of a contact sheet: one of a PNG, A4 pages of a PDF. */
export function layOutSheet(format: SheetFormat, options: SheetOptions): SheetPage[] {
  return format === 'png' ? [pngPage(options)] : pdfPages(options)
}

function pngPage({ count, columns, hasNames }: SheetOptions): SheetPage {
  const boxes = boxesIn(PNG_WIDTH, { columns, hasNames, count })
  const last = boxes.at(-1)
  const height =
    last === undefined ? MARGIN : last.y + rowHeight(last.width, hasNames) - GAP + MARGIN
  const scale = Math.min(1, MAX_PNG_SIDE / height, Math.sqrt(MAX_PNG_PIXELS / (PNG_WIDTH * height)))
  return scaled({ width: PNG_WIDTH, height, textPx: TEXT_PX, boxes }, scale)
}

function pdfPages({ count, columns, hasNames }: SheetOptions): SheetPage[] {
  const width = boxWidth(PDF_PAGE.width, columns)
  const rows = Math.floor((PDF_PAGE.height - 2 * MARGIN + GAP) / rowHeight(width, hasNames))
  const onPage = Math.max(1, rows) * columns
  return Array.from({ length: Math.ceil(count / onPage) }, (_, page) => ({
    ...PDF_PAGE,
    textPx: TEXT_PX,
    boxes: boxesIn(PDF_PAGE.width, {
      ...{ columns, hasNames },
      count: Math.min(onPage, count - page * onPage),
    }),
  }))
}

const boxWidth = (pageWidth: number, columns: number): number =>
  (pageWidth - 2 * MARGIN - (columns - 1) * GAP) / columns

const rowHeight = (width: number, hasNames: boolean): number =>
  width + (hasNames ? NAME_HEIGHT : 0) + GAP

function boxesIn(pageWidth: number, { count, columns, hasNames }: SheetOptions): Box[] {
  const width = boxWidth(pageWidth, columns)
  return Array.from({ length: count }, (_, index) => ({
    x: MARGIN + (index % columns) * (width + GAP),
    y: MARGIN + Math.floor(index / columns) * rowHeight(width, hasNames),
    width,
    height: width,
  }))
}

function scaled(page: SheetPage, scale: number): SheetPage {
  if (scale === 1) return page
  return {
    width: Math.floor(page.width * scale),
    height: Math.floor(page.height * scale),
    textPx: page.textPx * scale,
    boxes: page.boxes.map(({ x, y, width, height }) => ({
      ...{ x: x * scale, y: y * scale, width: width * scale, height: height * scale },
    })),
  }
}

/** Returns where a picture is drawn: in the middle of a box, as large as it can be. */
export function fitInto(box: Box, picture: { width: number; height: number }): Box {
  const scale = Math.min(box.width / picture.width, box.height / picture.height)
  const [width, height] = [picture.width * scale, picture.height * scale]
  const [x, y] = [box.x + (box.width - width) / 2, box.y + (box.height - height) / 2]
  return { x, y, width, height }
}

/** Returns a text with so many characters of its beginning and its end. */
export function shortened(text: string, kept: number): string {
  const characters = [...text]
  if (kept >= characters.length) return text
  const start = characters.slice(0, Math.ceil(kept / 2)).join('')
  return `${start}…${characters.slice(characters.length - Math.floor(kept / 2)).join('')}`
}

/** Returns why a sheet cannot have so many images. */
export function sheetRefusal(format: SheetFormat, count: number): string | null {
  const max = MAX_ON_SHEET[format]
  if (count <= max) return null
  const other = format === 'png' && count <= MAX_ON_SHEET.pdf ? ', or choose PDF' : ''
  const name = format.toUpperCase()
  return `A contact sheet as ${name} has at most ${max} images. Select fewer${other}.`
}
