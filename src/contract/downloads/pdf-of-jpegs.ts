export interface JpegPage {
  readonly jpeg: Uint8Array<ArrayBuffer>
  readonly width: number
  readonly height: number
}

/** A4 in points. */
const [PAGE_WIDTH, PAGE_HEIGHT] = [595, 842]

const [CATALOG, PAGES, FIRST] = [1, 2, 3]
const OBJECTS_PER_PAGE = 3

/** Bytes of a PDF. Texts are ASCII. */
export type PdfPart = string | Uint8Array<ArrayBuffer>

/**
 * Returns the parts of a PDF whose A4 pages are JPEG pictures. PDF contains JPEG files unchanged, so that this needs no
 * library, which would add half a megabyte.
 */
export function pdfOfJpegs(pages: readonly JpegPage[]): PdfPart[] {
  const parts: PdfPart[] = []
  const offsets: number[] = []
  let size = 0
  const add = (part: PdfPart) => {
    parts.push(part)
    size += part.length
  }
  /** All texts are ASCII, so that their lengths are numbers of bytes. */
  const addObject = (dictionary: string, stream?: PdfPart) => {
    offsets.push(size)
    add(`${offsets.length} 0 obj\n${dictionary}\n`)
    if (stream !== undefined) {
      add('stream\n')
      add(stream)
      add('\nendstream\n')
    }
    add('endobj\n')
  }
  add('%PDF-1.4\n')
  const pageIds = pages.map((_, index) => FIRST + OBJECTS_PER_PAGE * index)
  const kids = pageIds.map((id) => `${id} 0 R`).join(' ')
  addObject(`<< /Type /Catalog /Pages ${PAGES} 0 R >>`)
  addObject(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`)
  for (const [index, { jpeg, width, height }] of pages.entries()) {
    const id = pageIds[index] ?? 0
    const content = `q ${PAGE_WIDTH} 0 0 ${PAGE_HEIGHT} 0 0 cm /Picture Do Q`
    addObject(
      `<< /Type /Page /Parent ${PAGES} 0 R /MediaBox [0 0 ${PAGE_WIDTH} ${PAGE_HEIGHT}] /Contents ${id + 1} 0 R /Resources << /XObject << /Picture ${id + 2} 0 R >> >> >>`,
    )
    addObject(`<< /Length ${content.length} >>`, content)
    addObject(
      `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>`,
      jpeg,
    )
  }
  const start = size
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  add(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${rows.join('')}`)
  add(
    `trailer\n<< /Size ${offsets.length + 1} /Root ${CATALOG} 0 R >>\nstartxref\n${start}\n%%EOF\n`,
  )
  return parts
}
