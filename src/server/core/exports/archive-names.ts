import type { ArchiveEntry } from '#server/core/images/image-ports.ts'
import type { ZipEntry } from '#server/core/intake/file-ports.ts'

/** Names the entries of InvokeAI's bulk download: `category/image_name`. */
export const wireEntries = (entries: readonly ArchiveEntry[]): ZipEntry[] =>
  entries.map((image) => ({
    image,
    entryName: `${image.image_category}/${image.image_name}`,
  }))
