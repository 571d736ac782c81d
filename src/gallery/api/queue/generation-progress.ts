import { createStore } from 'zustand'
import { type Clock, throttled } from '#gallery/api/clock.ts'
import { useSource } from '#gallery/api/listeners.ts'
import { usePart } from '#gallery/api/parts.ts'
import type { SizePx } from '#gallery/api/process/process-steps.ts'

/** The progress of an item, from events. It is lost on reload. */
export interface Progress {
  /** The session ID of its images. */
  readonly sessionId: string | null
  readonly boardId: string | null
  readonly sizePx: SizePx | null
  /** The current progress message of the server. */
  readonly step: string | null
  /** From 0 to 1; null if unknown. */
  readonly fraction: number | null
  /** A small preview of its image, as a data URL. */
  readonly preview: string | null
  /** The images that it has saved so far, without intermediate ones. */
  readonly imageNames: readonly string[]
  /** Those of its images that are not inserted into the views yet. */
  readonly uninserted: readonly string[]
}

/** The state of queue items that only the page knows. */
export interface GenerationState {
  readonly progress: ReadonlyMap<number, Progress>
  /** Failed items that the user has dismissed. */
  readonly dismissed: ReadonlySet<number>
  /** Items that the server canceled because it was stopped. */
  readonly interrupted: ReadonlySet<number>
}

/** The minimum time between renders, in milliseconds. There can be hundreds of events per second. */
const DRAW_MS = 100

export const NO_PROGRESS: Progress = {
  sessionId: null,
  boardId: null,
  sizePx: null,
  step: null,
  fraction: null,
  preview: null,
  imageNames: [],
  uninserted: [],
}

/** Maximum number of cached previews; more than the new images that one screen shows. */
const MAX_PREVIEWS = 64

/** The state of queue items that only events report. It is lost on reload. */
export class GenerationProgress {
  readonly #drawSoon: () => void
  readonly state = createStore<GenerationState>(() => ({
    progress: new Map(),
    dismissed: new Set(),
    interrupted: new Set(),
  }))
  /** The current progress. `state` is updated from it with a throttle. */
  readonly #progress = new Map<number, Progress>()
  /** Last previews of generations by image, until the thumbnails of the images are loaded. */
  readonly #previews = new Map<string, string>()

  constructor(clock: Clock) {
    this.#drawSoon = throttled(clock, () => this.#draw(), { gapMs: DRAW_MS })
  }

  readonly of = (itemId: number): Progress => this.#progress.get(itemId) ?? NO_PROGRESS

  /** Updates the given properties of an item's progress. */
  update(itemId: number, change: Partial<Progress>): void {
    this.#progress.set(itemId, { ...this.of(itemId), ...change })
    this.#cachePreview(this.of(itemId))
    this.#drawSoon()
  }

  /** Adds saved images of an item. Not throttled: the tile of the item must be linked to them before they are shown. */
  addImages(itemId: number, imageNames: readonly string[]): void {
    const before = this.of(itemId)
    this.#progress.set(itemId, {
      ...before,
      imageNames: [...before.imageNames, ...imageNames],
      uninserted: [...before.uninserted, ...imageNames],
    })
    this.#cachePreview(this.of(itemId))
    this.#draw()
  }

  /** Removes the progress of an item. Not throttled: its image is rendered in the same frame. */
  remove(itemId: number): void {
    if (this.#progress.delete(itemId)) this.#draw()
  }

  dismiss(itemIds: Iterable<number>): void {
    this.state.setState((state) => ({ dismissed: new Set([...state.dismissed, ...itemIds]) }))
  }

  /** Marks items as interrupted by a stop of the server. */
  interrupt(itemIds: Iterable<number>): void {
    this.state.setState((state) => ({ interrupted: new Set([...state.interrupted, ...itemIds]) }))
  }

  /** Returns the last preview of a newly generated image as a data URL, if it is cached. */
  previewOf(imageName: string): string | undefined {
    return this.#previews.get(imageName)
  }

  /** Drops the preview of an image whose thumbnail is loaded. */
  forgetPreview(imageName: string): void {
    this.#previews.delete(imageName)
  }

  #cachePreview({ preview, imageNames }: Progress): void {
    const last = imageNames.at(-1)
    // A preview belongs to one image. Earlier images of the generation had their own.
    if (preview === null || last === undefined || this.#previews.has(last)) return
    this.#previews.set(last, preview)
    for (const name of this.#previews.keys()) {
      if (this.#previews.size <= MAX_PREVIEWS) return
      this.#previews.delete(name)
    }
  }

  #draw(): void {
    this.state.setState({ progress: new Map(this.#progress) })
  }
}

export const useGenerationState = (): GenerationState =>
  useSource(usePart(GenerationProgress).state)
