import { Refusal } from '#server/core/refusal.ts'
import type { FilePart } from './read-parts.ts'

/** @throws {Refusal} `not_an_image`: the part's own content type says so (wire 2.2). */
export function assertImagePart({ mediaType }: FilePart): void {
  if (mediaType.startsWith('image')) return
  throw new Refusal(
    'not_an_image',
    `Not an image: the file was sent as ${mediaType.slice(0, 100)}.`,
  )
}
