import { brotliCompressSync, constants, crc32, deflateSync } from 'node:zlib'

/** Writers of metadata in the forms that programs use and sharp cannot write. */

const pngChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

const zero = Buffer.from([0])
const parts = (...values: (string | Buffer)[]): Buffer =>
  Buffer.concat(values.map((value) => (typeof value === 'string' ? Buffer.from(value) : value)))

/** Chunks of a PNG with a text. */
export const pngText = {
  latin1: (keyword: string, text: string) =>
    pngChunk('tEXt', parts(keyword, zero, Buffer.from(text, 'latin1'))),
  /** UTF-8 where the format wants Latin-1, as Python programs write it. */
  utf8: (keyword: string, text: string) => pngChunk('tEXt', parts(keyword, zero, text)),
  compressed: (keyword: string, text: string) =>
    pngChunk('zTXt', parts(keyword, zero, zero, deflateSync(Buffer.from(text, 'latin1')))),
  international: (keyword: string, text: string) =>
    pngChunk('iTXt', parts(keyword, zero, Buffer.from([0, 0]), zero, zero, text)),
  internationalCompressed: (keyword: string, text: string) =>
    pngChunk(
      'iTXt',
      parts(keyword, zero, Buffer.from([1, 0]), 'en', zero, zero, deflateSync(text)),
    ),
  exif: (block: Buffer) => pngChunk('eXIf', block),
}

const PNG_HEADER_BYTES = 33
const PNG_END_BYTES = 12

/** Adds chunks before the pixels of a PNG, or after them. */
export const addPngChunks = (
  png: Buffer,
  chunks: readonly Buffer[],
  { afterPixels = false }: { afterPixels?: boolean } = {},
): Buffer => {
  const at = afterPixels ? png.length - PNG_END_BYTES : PNG_HEADER_BYTES
  return Buffer.concat([png.subarray(0, at), ...chunks, png.subarray(at)])
}

const jpegSegment = (marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

const addSegment = (jpeg: Buffer, marker: number, data: Buffer): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), jpegSegment(marker, data), jpeg.subarray(2)])

export const addJpegComment = (jpeg: Buffer, text: string): Buffer =>
  addSegment(jpeg, 0xfe, Buffer.from(text))

export const addJpegExif = (jpeg: Buffer, block: Buffer): Buffer =>
  addSegment(jpeg, 0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), block]))

/** Adds a comment at the end of a GIF, in blocks of up to 255 bytes. */
export const addGifComment = (gif: Buffer, text: string): Buffer => {
  const bytes = Buffer.from(text)
  const blocks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.subarray(at, at + 255)
    blocks.push(Buffer.from([block.length]), block)
  }
  return Buffer.concat([
    gif.subarray(0, -1),
    Buffer.from([0x21, 0xfe]),
    ...blocks,
    zero,
    gif.subarray(-1),
  ])
}

const box = (type: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}

/** Boxes of a JPEG XL with metadata. */
export const jxlBox = {
  /** The block follows its offset. */
  exif: (block: Buffer) => box('Exif', parts(Buffer.alloc(4), block)),
  xmp: (packet: string) => box('xml ', Buffer.from(packet)),
  /** Any box, compressed. */
  compressed: (whole: Buffer) =>
    box(
      'brob',
      parts(
        whole.subarray(4, 8),
        brotliCompressSync(whole.subarray(8), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
      ),
    ),
}

/** Puts the codestream of a JPEG XL into a container, after boxes with metadata. */
export const putIntoJxlContainer = (codestream: Buffer, boxes: readonly Buffer[]): Buffer =>
  Buffer.concat([
    box('JXL ', Buffer.from('0d0a870a', 'hex')),
    box('ftyp', Buffer.from('jxl \0\0\0\0jxl ', 'latin1')),
    ...boxes,
    box('jxlc', codestream),
  ])

/** Types of EXIF tags. */
export const exifType = { byte: 1, ascii: 2, undefined: 7, utf8: 129 }

export interface ExifTag {
  tag: number
  type: number
  value: Buffer
}

/** Returns an EXIF block with tags in the main directory and in the Exif directory, in either byte order. */
export const exifBlock = (
  image: readonly ExifTag[],
  photo: readonly ExifTag[] = [],
  { isBigEndian = false }: { isBigEndian?: boolean } = {},
): Buffer => {
  const number = (value: number, bytes: 2 | 4): Buffer => {
    const part = Buffer.alloc(bytes)
    if (isBigEndian) part.writeUIntBE(value, 0, bytes)
    else part.writeUIntLE(value, 0, bytes)
    return part
  }
  const hasPhoto = photo.length > 0
  const imageCount = image.length + (hasPhoto ? 1 : 0)
  const photoAt = 8 + 6 + 12 * imageCount
  let valueAt = photoAt + (hasPhoto ? 6 + 12 * photo.length : 0)
  const values: Buffer[] = []
  const entry = ({ tag, type, value }: ExifTag): Buffer => {
    const head = [number(tag, 2), number(type, 2), number(value.length, 4)]
    if (value.length <= 4) return Buffer.concat([...head, value, Buffer.alloc(4 - value.length)])
    const at = valueAt
    values.push(value)
    valueAt += value.length
    return Buffer.concat([...head, number(at, 4)])
  }
  const pointer = Buffer.concat([number(0x8769, 2), number(4, 2), number(1, 4), number(photoAt, 4)])
  return Buffer.concat([
    Buffer.from(isBigEndian ? 'MM\0*' : 'II*\0', 'latin1'),
    number(8, 4),
    number(imageCount, 2),
    ...image.map(entry),
    ...(hasPhoto ? [pointer] : []),
    number(0, 4),
    ...(hasPhoto ? [number(photo.length, 2), ...photo.map(entry), number(0, 4)] : []),
    ...values,
  ])
}

const escapeXml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')

const namespaces = [
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:exif="http://ns.adobe.com/exif/1.0/"',
  'xmlns:xmp="http://ns.adobe.com/xap/1.0/"',
  'xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"',
  'xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"',
  'xmlns:comfy="https://github.com/Comfy-Org/ComfyUI"',
].join(' ')

/** Returns an XMP packet whose properties are elements, elements with alternatives, or attributes. */
export const xmpPacket = (
  properties: Readonly<Record<string, string>>,
  form: 'element' | 'alternatives' | 'attribute' = 'element',
): string => {
  const written = Object.entries(properties).map(([name, value]) => {
    const text = escapeXml(value)
    if (form === 'attribute') return `${name}="${text}"`
    if (form === 'element') return `<${name}>${text}</${name}>`
    return `<${name}><rdf:Alt><rdf:li xml:lang="x-default">${text}</rdf:li></rdf:Alt></${name}>`
  })
  const [attributes, elements] =
    form === 'attribute' ? [written.join(' '), ''] : ['', written.join('')]
  return `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ${namespaces} ${attributes}>${elements}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`
}
