import { create } from 'zustand'
import { throttled } from '#gallery/api/clock.ts'
import { theGallery } from '#gallery/api/the-gallery.ts'
import type { SizePx } from './queue-entry.ts'

/** The progress of an item, from events. It is lost on reload. */
export interface Progress {
  /** The session ID of its images. */
  readonly sessionId: string | null
  readonly boardId: string | null
  readonly sizePx: SizePx | null
  readonly step: string | null
  readonly fraction: number | null
  readonly preview: string | null
  /** The images that it has saved so far, without intermediate ones. */
  readonly imageNames: readonly string[]
  /** Those of its images that are not inserted into the views yet. */
  readonly landing: readonly string[]
}

/** The state of queue items that only the page knows. */
export interface GenerationState {
  readonly progress: ReadonlyMap<number, Progress>
  /** Failed items that the user has dismissed. */
  readonly dismissed: ReadonlySet<number>
  /** Items that the server canceled because it was stopped. */
  readonly interrupted: ReadonlySet<number>
}

const NO_PROGRESS: Progress = {
  sessionId: null,
  boardId: null,
  sizePx: null,
  step: null,
  fraction: null,
  preview: null,
  imageNames: [],
  landing: [],
}

/** The minimum time between renders, in milliseconds. There can be hundreds of events per second. */
const DRAW_MS = 100

const useStore = create<GenerationState>(() => ({
  progress: new Map(),
  dismissed: new Set(),
  interrupted: new Set(),
}))

/** The current progress. The store is updated from it with a throttle. */
const progress = new Map<number, Progress>()
const draw = () => useStore.setState({ progress: new Map(progress) })
const drawSoon = throttled(theGallery.clock, draw, { gapMs: DRAW_MS })

/** Returns the state of all items. Re-renders when it changes. */
export const useGenerationState = (): GenerationState => useStore()

/** Returns the progress of an item. */
export const progressOf = (itemId: number): Progress => progress.get(itemId) ?? NO_PROGRESS

/** Updates the given properties of an item's progress. */
export function progressed(itemId: number, change: Partial<Progress>): void {
  progress.set(itemId, { ...progressOf(itemId), ...change })
  cachePreview(progressOf(itemId))
  drawSoon()
}

/** Adds saved images of an item. Not throttled: the tile of the item must be linked to them before they are shown. */
export function addMadeImages(itemId: number, imageNames: readonly string[]): void {
  const before = progressOf(itemId)
  progress.set(itemId, {
    ...before,
    imageNames: [...before.imageNames, ...imageNames],
    landing: [...before.landing, ...imageNames],
  })
  cachePreview(progressOf(itemId))
  draw()
}

/** Removes the progress of an item. Not throttled: its image is rendered in the same frame. */
export function removeProgress(itemId: number): void {
  if (progress.delete(itemId)) draw()
}

/** Hides failed items from the grid. */
export function dismissed(itemIds: Iterable<number>): void {
  useStore.setState((state) => ({ dismissed: new Set([...state.dismissed, ...itemIds]) }))
}

/** Marks items as interrupted by a stop of the server. */
export function interrupted(itemIds: Iterable<number>): void {
  useStore.setState((state) => ({ interrupted: new Set([...state.interrupted, ...itemIds]) }))
}

/** Maximum number of cached previews; more than the new images that one screen shows. */
const MAX_PREVIEWS = 64

/** Last previews of generations by image, until the thumbnails of the images are loaded. */
const previews = new Map<string, string>()

function cachePreview({ preview, imageNames }: Progress): void {
  const last = imageNames.at(-1)
  // A preview belongs to one image. Earlier images of the generation had their own.
  if (preview === null || last === undefined || previews.has(last)) return
  previews.set(last, preview)
  for (const name of previews.keys()) {
    if (previews.size <= MAX_PREVIEWS) return
    previews.delete(name)
  }
}

/** Returns the last preview of a newly generated image as a data URL, if it is cached. */
export const previewOf = (imageName: string): string | undefined => previews.get(imageName)

export const forgetPreview = (imageName: string): void => void previews.delete(imageName)
