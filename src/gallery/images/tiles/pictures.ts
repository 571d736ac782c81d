import { createContext, useContext } from 'react'
import { MissingPosters } from './missing-posters.ts'
import { averageColorOf, placeholderOf } from './placeholder.ts'

/** Number of images that start to load per frame. Sixty at once, as after a jump, would block the page for 30 ms. */
const PER_FRAME = 16

/** Number of placeholders decoded per frame: a phone needs up to 4 ms for one. */
const PLACEHOLDERS_PER_FRAME = 3

/** Begins the work on a few images per frame, in the order of their requests. */
export class PictureQueue {
  readonly #perFrame: number
  readonly #waiting = new Set<() => void>()
  #frame = 0

  constructor(perFrame = PER_FRAME) {
    this.#perFrame = perFrame
  }

  /** Queues the work on an image. Returns a function that removes it from the queue. */
  add(begin: () => void): () => void {
    this.#waiting.add(begin)
    if (this.#frame === 0) this.#frame = requestAnimationFrame(this.#beginNext)
    return () => this.#waiting.delete(begin)
  }

  readonly #beginNext = (): void => {
    for (const begin of [...this.#waiting].slice(0, this.#perFrame)) {
      this.#waiting.delete(begin)
      begin()
    }
    this.#frame = this.#waiting.size > 0 ? requestAnimationFrame(this.#beginNext) : 0
  }
}

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

/**
 * Loaded images whose tiles show another image now. If they are only in other places, as after an upload, their new tiles
 * take them: a new element would be empty for a frame, and the grid would flash. An image whose thumbnail has changed is
 * shown until the new one is loaded.
 */
export class MovingImages {
  readonly #images = new Map<string, HTMLImageElement>()

  /** Keeps an image until the end of the task. React ends all old tiles before it starts the new ones. */
  add(imageName: string, image: HTMLImageElement): void {
    if (this.#images.size === 0) queueMicrotask(() => this.#images.clear())
    this.#images.set(imageName, image)
  }

  take(imageName: string): HTMLImageElement | null {
    const image = this.#images.get(imageName) ?? null
    this.#images.delete(imageName)
    return image
  }
}

/** Maximum number of cached placeholders: about fifty screens, at 5 kB each. */
const MAX_CACHED = 4000

/** The state that the pictures of all tiles share. */
export type Pictures = ReturnType<typeof createPictures>

export const createPictures = () => ({
  queue: new PictureQueue(),
  placeholderQueue: new PictureQueue(PLACEHOLDERS_PER_FRAME),
  shown: new ShownPictures(),
  moving: new MovingImages(),
  missingPosters: new MissingPosters(),
  averageColorOf: memoize(averageColorOf),
  placeholderOf: memoize(placeholderOf),
})

/** Caches the results for the last arguments. */
function memoize<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const cache = new Map<Key, { readonly value: Value }>()
  return (key) => {
    const cached = cache.get(key)
    if (cached !== undefined) return cached.value
    if (cache.size >= MAX_CACHED) cache.clear()
    const value = compute(key)
    cache.set(key, { value })
    return value
  }
}

/** Provided for the life of the page, so that another view still knows what was shown. */
export const PicturesContext = createContext<Pictures | null>(null)

export function usePictures(): Pictures {
  const pictures = useContext(PicturesContext)
  if (pictures === null) throw new Error('usePictures needs a PicturesContext.')
  return pictures
}
