import type { ZipEntry } from './file-ports.ts'
import type { ArchiveEntry } from './image-ports.ts'

/** What Windows forbids in names, and what no name should hold. */
const forbidden = /[<>:"/\\|?*\p{Cc}\u202a-\u202e\u2066-\u2069]/gu
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** Leaves room for folders within the 255 characters that file systems take. */
const MAX_STEM_LENGTH = 180

const splitName = (name: string): { stem: string; extension: string } => {
  const [, stem = name, extension = ''] = /^(.+)(\.[^. ]{1,10})$/.exec(name) ?? []
  return { stem, extension }
}

/** A file name that unpacks on Windows, macOS and Linux alike, as close to the given one as can be. */
const safeName = (name: string): string => {
  const { stem, extension } = splitName(name.replaceAll(forbidden, '_'))
  const short = stem.slice(0, MAX_STEM_LENGTH).toWellFormed()
  const whole = `${short.replace(/[. ]+$/, '')}${extension}`.replace(/[. ]+$/, '')
  if (whole === '' || whole.startsWith('.')) return `image${whole}`
  return reserved.test(whole) ? `_${whole}` : whole
}

/** Where an image lies in the zip of the wire's own download (wire 2.7). */
export const wireEntries = (entries: readonly ArchiveEntry[]): ZipEntry[] =>
  entries.map(({ image_name, image_category }) => ({
    imageName: image_name,
    entryName: `${image_category}/${image_name}`,
  }))

/**
 * Images under the names they were uploaded with, made safe, each once: where two differ by nothing but
 * case, the later gets a number.
 */
export const fileNameEntries = (entries: readonly ArchiveEntry[]): ZipEntry[] => {
  const used = new Set<string>()
  const nextNumber = new Map<string, number>()
  return entries.map(({ image_name, file_name }) => {
    const wanted = safeName(file_name ?? image_name)
    const { stem, extension } = splitName(wanted)
    const name = extension === '' ? `${stem}${splitName(image_name).extension}` : wanted
    let entryName = name
    for (let number = nextNumber.get(name) ?? 2; used.has(entryName.toLowerCase()); number++) {
      entryName = `${stem} (${number})${splitName(name).extension}`
      nextNumber.set(name, number + 1)
    }
    used.add(entryName.toLowerCase())
    return { imageName: image_name, entryName }
  })
}
