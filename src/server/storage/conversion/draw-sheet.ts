import sharp from 'sharp'
import { type Box, fitInto, SHEET_COLORS, shortened } from '#contract/downloads/sheet-layout.ts'
import type { DrawSheetPage } from '#server/core/exports/contact-sheet.ts'
import { setUpSharp } from '#server/processes/open-with-sharp.ts'

/** Pixels from the top left: red, green, blue. */
interface Canvas {
  bytes: Buffer
  width: number
  height: number
}

const CHANNELS = 3
const JPEG_QUALITY = 92

/** Longer names are cut before they are measured. */
const MAX_NAME_LENGTH = 200

/** Prepares this process for drawing. A picture that cannot be decoded is a grey box. */
export const openSheetDrawer = (): { draw: DrawSheetPage; canDrawNames(): Promise<boolean> } => {
  setUpSharp()
  return { draw: drawPage, canDrawNames }
}

const drawPage: DrawSheetPage = async (page, pictures, format) => {
  const { width, height } = page
  const canvas: Canvas = { bytes: Buffer.alloc(width * height * CHANNELS, 255), width, height }
  const damaged: number[] = []
  for (const [index, box] of page.boxes.entries()) {
    const { picture = null, name = null } = pictures[index] ?? {}
    const drawn = picture === null ? null : await fitted(picture, box).catch(() => null)
    if (picture !== null && drawn === null) damaged.push(index)
    place(canvas, drawn?.pixels ?? grey(box), drawn?.at ?? box)
    if (name !== null) await writeName(canvas, box, name, page.textPx)
  }
  const whole = sharp(canvas.bytes, { raw: { width, height, channels: CHANNELS } })
  const encoded = format === 'png' ? whole.png() : whole.jpeg({ quality: JPEG_QUALITY })
  return { bytes: new Uint8Array(await encoded.toBuffer()), damaged }
}

/** Returns true if this system has a font. Without one, all letters are equal boxes. */
const canDrawNames = async (): Promise<boolean> => {
  const [one, other] = await Promise.all(['A', 'B'].map((letter) => drawText(letter, 100)))
  return one?.bytes.equals(other?.bytes ?? one.bytes) === false
}

const fitted = async (picture: Uint8Array, box: Box): Promise<{ pixels: Canvas; at: Box }> => {
  const image = sharp(picture)
  const at = fitInto(box, await image.metadata())
  const [width, height] = [at.width, at.height].map((side) => Math.max(1, Math.round(side)))
  const { data, info } = await image
    .resize(width, height, { fit: 'fill' })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { pixels: { bytes: data, width: info.width, height: info.height }, at }
}

const grey = (box: Box): Canvas => {
  const [width, height] = [Math.floor(box.width), Math.floor(box.height)]
  const [value] = Buffer.from(SHEET_COLORS.missing.slice(1), 'hex')
  return { bytes: Buffer.alloc(width * height * CHANNELS, value), width, height }
}

/** Copies pixels to a place of the canvas, without what is outside of it. */
const place = (canvas: Canvas, pixels: Canvas, at: { x: number; y: number }): void => {
  const left = Math.max(0, Math.round(at.x))
  const top = Math.max(0, Math.round(at.y))
  const columns = Math.min(pixels.width, canvas.width - left)
  const rows = Math.min(pixels.height, canvas.height - top)
  for (let row = 0; row < rows; row++) {
    const from = row * pixels.width * CHANNELS
    const to = ((top + row) * canvas.width + left) * CHANNELS
    pixels.bytes.copy(canvas.bytes, to, from, from + columns * CHANNELS)
  }
}

/** Writes a name below a box, shortened so that it fits. */
const writeName = async (canvas: Canvas, box: Box, name: string, textPx: number): Promise<void> => {
  const text = shortened(name.replaceAll(/\p{Cc}/gu, ' ').toWellFormed(), MAX_NAME_LENGTH)
  let drawn = await drawText(text, textPx)
  for (let length = [...text].length; drawn.width > box.width && length > 1; ) {
    length = Math.min(length - 1, Math.floor((length * box.width) / drawn.width))
    drawn = await drawText(length > 1 ? shortened(text, length) : '…', textPx)
  }
  const x = box.x + (box.width - drawn.width) / 2
  place(canvas, drawn, { x, y: box.y + box.height + textPx / 3 })
}

const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Transparent letters on both sides of a text, because pictures of texts are cut at their highest and lowest letter. */
const STRUT = '<span fgalpha="1">Ág</span>'

/** Draws a line of text on white. At 72 dots per inch a point is a pixel. */
const drawText = async (text: string, sizePx: number): Promise<Canvas> => {
  const font = { font: `sans ${sizePx}`, dpi: 72, rgba: true }
  const visible = `<span foreground="${SHEET_COLORS.name}">${escapeMarkup(text)}</span>`
  const struts = await sharp({ text: { ...font, text: STRUT + STRUT } }).metadata()
  const picture = sharp({ text: { ...font, text: STRUT + visible + STRUT } })
  const { width, height } = await picture.metadata()
  const left = Math.round(struts.width / 2)
  const textWidth = Math.max(1, width - struts.width)
  const { data, info } = await picture
    .extract({ left: Math.min(left, width - textWidth), top: 0, width: textWidth, height })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height }
}
