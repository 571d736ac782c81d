import type { Generation } from '#gallery/api/queue/generations.ts'

/** Images just made of which the preview is kept: more than can be seen coming in at once. */
const KEPT = 64

const previews = new Map<string, string>()

/** Keeps how these looked while they were made, until their thumbnails have come. */
export function keepPreviews(generations: readonly Generation[]): void {
  for (const { preview, imageNames } of generations) {
    const last = imageNames.at(-1)
    // One preview was of one image: those before it had others.
    if (preview === null || last === undefined || previews.has(last)) continue
    previews.set(last, preview)
  }
  for (const name of previews.keys()) {
    if (previews.size <= KEPT) return
    previews.delete(name)
  }
}

/** How an image looked while it was made, as a data URL, if that was a moment ago. */
export const previewOf = (imageName: string): string | undefined => previews.get(imageName)

/** Its thumbnail has come. */
export const forgetPreview = (imageName: string): void => void previews.delete(imageName)
