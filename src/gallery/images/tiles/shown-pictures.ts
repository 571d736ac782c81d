/** Number of remembered images: a few screens of small tiles. */
const MAX_REMEMBERED = 400

/** The images that the page showed last. The browser still has them in its cache, so they need not queue. */
export class ShownPictures {
  readonly #urls = new Set<string>()

  /** Records that an image was loaded and shown. */
  add(url: string): void {
    this.#urls.delete(url)
    this.#urls.add(url)
    for (const oldest of this.#urls) {
      if (this.#urls.size <= MAX_REMEMBERED) return
      this.#urls.delete(oldest)
    }
  }

  has(url: string): boolean {
    return this.#urls.has(url)
  }

  /** True if the page has shown any image. */
  get hasAny(): boolean {
    return this.#urls.size > 0
  }
}
