import type { ArchiveEntry } from '#server/core/images/image-ports.ts'
import type { ZipEntry } from '#server/core/intake/file-ports.ts'
import { safeFileName, splitName } from '#server/core/intake/safe-file-name.ts'

/** Names the entries of InvokeAI's bulk download: `category/image_name`. */
export const wireEntries = (entries: readonly ArchiveEntry[]): ZipEntry[] =>
  entries.map((image) => ({
    image,
    entryName: `${image.image_category}/${image.image_name}`,
  }))

/** Names images by their uploaded file name, made safe and unique. Names that differ only in case get numbers. */
export const fileNameEntries = (entries: readonly ArchiveEntry[]): ZipEntry[] => {
  const used = new Set<string>()
  const nextNumber = new Map<string, number>()
  return entries.map((image) => {
    const { image_name, file_name } = image
    const wanted = safeFileName(file_name ?? image_name)
    const { stem, extension } = splitName(wanted)
    const name = extension === '' ? `${stem}${splitName(image_name).extension}` : wanted
    let entryName = name
    for (let number = nextNumber.get(name) ?? 2; used.has(entryName.toLowerCase()); number++) {
      entryName = `${stem} (${number})${splitName(name).extension}`
      nextNumber.set(name, number + 1)
    }
    used.add(entryName.toLowerCase())
    return { image, entryName }
  })
}
