import type { ImageRecord } from '#contract/image.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import type { GridScroller } from '#gallery/images/grid/grid-scroller.ts'
import type { Pictures } from './pictures.ts'
import { isTranslucent } from './placeholder.ts'
import { FIRST_THUMBNAIL_PX } from './thumbnail-size.ts'

/** Most thumbnails load faster than this, and drawing their placeholders would only cost time. In milliseconds. */
const LATE_MS = 150

/** Delay before a missing thumbnail is requested again, in milliseconds. */
const RETRY_MS = 1_000

interface TileImageOptions {
  /** The element that the image fills. */
  box: HTMLElement
  record: ImageRecord
  /** The longest side at which no pixel is enlarged. */
  neededPx: number
  api: Pick<GalleryApi, 'client' | 'generations'>
  scroller: GridScroller
  pictures: Pictures
  /** Called if neither the thumbnail nor the full resolution can be loaded. Returns a function for the end of the tile. */
  onMissing: () => () => void
}

/**
 * The image of a tile from its average color to its sharpest thumbnail. It sets its elements without React, which would
 * render each tile three more times during a fling.
 */
export class TileImage {
  readonly #options: TileImageOptions
  readonly #firstUrl: string
  /** The last preview of a new image, shown until its thumbnail is loaded. */
  readonly #preview: string | undefined
  readonly #ends: (() => void)[] = []
  #image: HTMLImageElement | null = null
  #neededPx: number
  #isLoaded = false
  #endSharpening: (() => void) | null = null

  constructor(options: TileImageOptions) {
    const { api, box, record, scroller, pictures } = options
    this.#options = options
    this.#neededPx = options.neededPx
    this.#firstUrl = api.client.images.thumbnailUrl(record)
    this.#preview = api.generations.previewOf(record.image_name)
    box.style.backgroundColor = pictures.averageColorOf(record.thumbhash) ?? ''
    box.style.backgroundImage = this.#preview === undefined ? '' : `url("${this.#preview}")`
    const moved = pictures.moving.take(record.image_name)
    if (moved !== null) {
      this.#place(moved)
      this.#show(moved)
      return
    }
    // An image that moved here, that was just generated, or that is among the first of the page, does not queue.
    const needsNoTurn =
      this.#preview !== undefined || pictures.shown.has(this.#firstUrl) || !pictures.shown.hasAny
    if (needsNoTurn && scroller.isScrollingSlowly()) this.#begin()
    else this.#waitForTurn()
  }

  /** Loads a larger thumbnail if the tile has grown. */
  enlarge(neededPx: number): void {
    if (neededPx === this.#neededPx) return
    this.#neededPx = neededPx
    this.#sharpen()
  }

  /** Clears the box for another image. */
  end(): void {
    for (const end of this.#ends) end()
    this.#drop()
    if (this.#isLoaded && this.#image)
      this.#options.pictures.moving.add(this.#options.record.image_name, this.#image)
  }

  #waitForTurn(): void {
    const { scroller, pictures } = this.#options
    const stopWaiting = scroller.whileScrollingSlowly(() =>
      pictures.queue.add(() => {
        stopWaiting()
        this.#begin()
      }),
    )
    this.#ends.push(stopWaiting)
  }

  #begin(): void {
    const { record, pictures, box } = this.#options
    this.#load(this.#firstUrl)
    const showPlaceholder = () => {
      if (this.#isLoaded || this.#preview !== undefined) return
      box.style.backgroundImage = pictures.placeholderOf(record.thumbhash) ?? ''
    }
    // The timers of all tiles fire together, and decoding all placeholders at once would block the page.
    const late = setTimeout(() => {
      if (!this.#isLoaded) this.#ends.push(pictures.placeholderQueue.add(showPlaceholder))
    }, LATE_MS)
    this.#ends.push(() => clearTimeout(late))
  }

  /**
   * Loads the image. InvokeAI announces an image before it has written the thumbnail, so a missing thumbnail is requested
   * again, and then replaced by the full resolution. The file of a video is no picture.
   */
  #load(url: string, onFail?: () => void): void {
    const image = document.createElement('img')
    image.alt = ''
    image.decoding = 'async'
    image.draggable = false
    const fade = this.#preview === undefined ? '' : ' transition-opacity duration-200 opacity-0'
    image.className = `size-full rounded-sm object-cover${fade}`
    this.#place(image, onFail)
    // After the element is in the document: Firefox restarts the download of an image that is inserted.
    image.src = url
  }

  #place(image: HTMLImageElement, onFail = () => this.#retry()): void {
    image.onload = () => this.#show(image)
    image.onerror = () => {
      this.#drop()
      onFail()
    }
    this.#options.box.append(image)
    this.#image = image
  }

  #retry(): void {
    const { record, api } = this.#options
    const onMissing = () => void this.#ends.push(this.#options.onMissing())
    const loadFull = () =>
      record.video ? onMissing() : this.#load(api.client.images.fullUrl(record), onMissing)
    const timer = setTimeout(() => this.#load(this.#firstUrl, loadFull), RETRY_MS)
    this.#ends.push(() => clearTimeout(timer))
  }

  #show(image: HTMLImageElement): void {
    if (this.#isLoaded) return
    const { record, api, pictures, box } = this.#options
    this.#isLoaded = true
    image.classList.remove('opacity-0')
    pictures.shown.add(this.#firstUrl)
    api.generations.forgetPreview(record.image_name)
    if (isTranslucent(record.thumbhash)) {
      box.style.backgroundColor = ''
      box.style.backgroundImage = ''
    }
    this.#sharpen()
  }

  /**
   * Replaces the thumbnail by a larger one, once that is decoded, if it is too small for the tile. This waits for the
   * first, so that it does not delay the first thumbnails of other tiles. An earlier thumbnail is replaced too.
   */
  #sharpen(): void {
    const { record, api, scroller } = this.#options
    this.#endSharpening?.()
    const image = this.#image
    if (!this.#isLoaded || image === null) return
    const isLarge = this.#neededPx > FIRST_THUMBNAIL_PX
    const url = isLarge ? api.client.images.thumbnailUrl(record, this.#neededPx) : this.#firstUrl
    const shown = image.getAttribute('src') ?? ''
    const isCurrent = withoutSize(shown) === this.#firstUrl
    if (url === shown || (isCurrent && url === this.#firstUrl)) return
    this.#endSharpening = scroller.whileScrollingSlowly(() => {
      const larger = new Image()
      let isWanted = true
      larger.src = url
      const show = () => {
        if (isWanted) image.src = url
      }
      // If the larger one cannot be loaded, the first one stays.
      larger.decode().then(show, () => undefined)
      return () => {
        isWanted = false
        larger.src = ''
      }
    })
    this.#ends.push(this.#endSharpening)
  }

  #drop(): void {
    if (this.#image === null) return
    this.#image.onload = null
    this.#image.onerror = null
    this.#image.remove()
  }
}

const withoutSize = (url: string): string => url.replace(/[?&]size=\d+$/, '')
