/** Pictures of which this is remembered: some screens of small tiles. */
const KEPT = 400

const shown = new Set<string>()

/** A picture has been loaded and shown. */
export function pictureShown(url: string): void {
  shown.delete(url)
  shown.add(url)
  for (const oldest of shown) {
    if (shown.size <= KEPT) return
    shown.delete(oldest)
  }
}

/** True once the page has shown a picture. */
export const wasAnyShown = (): boolean => shown.size > 0

/** Whether a picture was shown a moment ago: the browser still has it, and it need not wait for its turn. */
export const wasShown = (url: string): boolean => shown.has(url)
