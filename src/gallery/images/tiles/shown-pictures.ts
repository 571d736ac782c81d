/** Number of remembered images: a few screens of small tiles. */
const MAX_REMEMBERED = 400

const shown = new Set<string>()

/** Records that an image was loaded and shown. */
export function markShown(url: string): void {
  shown.delete(url)
  shown.add(url)
  for (const oldest of shown) {
    if (shown.size <= MAX_REMEMBERED) return
    shown.delete(oldest)
  }
}

/** Returns true if the page has shown any image. */
export const wasAnyShown = (): boolean => shown.size > 0

/** Returns true if an image was shown recently. The browser still has it in its cache, so it need not queue. */
export const wasShown = (url: string): boolean => shown.has(url)
