import type { ImageRecord } from '#contract/image.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { addPoster, type PosterApi } from '#gallery/api/images/video-posters.ts'
import { savesData } from '#gallery/ui/motion.ts'
import { loadPoster } from '#gallery/ui/video/video-frame.ts'

/** A video that sends no data holds up the others no longer than this, in milliseconds. */
const MAX_LOAD_MS = 30_000

type MissingApi = Pick<GalleryApi, 'capabilities' | 'client'> &
  Pick<PosterApi, 'queryClient' | 'imageCache'>

interface Job {
  readonly api: MissingApi
  readonly record: ImageRecord
  readonly ended: AbortController
}

/**
 * Draws the posters of videos that the server cannot decode, one at a time, while their tiles are in view, and sends them
 * to the server.
 */
export class MissingPosters {
  readonly #waiting = new Set<Job>()
  readonly #tried = new Set<string>()
  #isDrawing = false

  /** Draws the poster of a video when its turn comes. Returns a function that ends this. */
  add(api: MissingApi, record: ImageRecord, tile: Element): () => void {
    const isWanted = api.capabilities.has('video_posters') && !savesData()
    if (!isWanted || record.deleted_at !== null) return () => {}
    let job: Job | null = null
    const end = () => {
      if (job === null) return
      this.#waiting.delete(job)
      job.ended.abort()
      job = null
    }
    const observer = new IntersectionObserver((entries) => {
      if (!entries.at(-1)?.isIntersecting) return end()
      if (job !== null) return
      job = { api, record, ended: new AbortController() }
      this.#waiting.add(job)
      void this.#drawAll()
    })
    observer.observe(tile)
    return () => {
      observer.disconnect()
      end()
    }
  }

  async #drawAll(): Promise<void> {
    if (this.#isDrawing) return
    this.#isDrawing = true
    for (const job of this.#waiting) {
      this.#waiting.delete(job)
      // Another browser, or nobody, draws it. The tile has a placeholder.
      await this.#draw(job).catch(() => {})
    }
    this.#isDrawing = false
  }

  async #draw({ api, record, ended }: Job): Promise<void> {
    const { image_name, video } = record
    if (this.#tried.has(image_name)) return
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(MAX_LOAD_MS)])
    const { status } = await api.client.server.health({ signal })
    if (status !== 'ok') return
    const { duration = 0, poster_ms = null } = video ?? {}
    const source = {
      url: api.client.images.fullUrl(record),
      durationS: duration,
      timeS: poster_ms === null ? null : poster_ms / 1000,
    }
    try {
      await addPoster(api, image_name, await loadPoster(source, signal))
    } finally {
      if (!ended.signal.aborted) this.#tried.add(image_name)
    }
  }
}
