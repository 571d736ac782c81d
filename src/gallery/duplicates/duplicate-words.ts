import type { ImageRecord } from '#contract/image.ts'
import { storedExtensionOf } from '#contract/media-types.ts'
import type { DuplicateMatch, KeepReason } from '#gallery/api/duplicates.ts'
import { formatBytes } from '#gallery/ui/text/count.ts'

/** Why an image is suggested: `Suggested: it has the most pixels.` */
export const REASONS = {
  pixels: 'it has the most pixels',
  format: 'it has the better file format',
  metadata: 'it has its prompt or camera data',
  starred: 'it is starred',
  board: 'it is on a board',
  bytes: 'it is the largest file',
  oldest: 'it was added first',
} as const satisfies Record<KeepReason, string>

export const MATCHES = [
  { value: 'bytes', label: 'Same files' },
  { value: 'picture', label: 'Same picture' },
  { value: 'near', label: 'Nearly the same' },
] as const satisfies readonly { value: DuplicateMatch; label: string }[]

/** Returns text such as `1,024 × 768 · PNG · 1.2 MiB`. */
export function fileFactsOf({ width, height, media_type, file_size }: ImageRecord): string {
  const facts = [
    `${width} × ${height}`,
    media_type && storedExtensionOf(media_type).toUpperCase(),
    file_size !== null && formatBytes(file_size),
  ]
  return facts.filter(Boolean).join(' · ')
}

/** Returns how alike the pictures of a distance are. */
export function wordsOfDistance(distance: number): string {
  if (distance <= 3) return 'Very small differences'
  if (distance <= 7) return 'Small differences'
  return 'Larger differences'
}
