import { create } from 'zustand'
import { throttled } from '#gallery/api/throttled.ts'
import type { SizePx } from './queue-entry.ts'

/** The progress of an item according to events: view state, gone after a reload. */
export interface Progress {
  /** Images that it saves carry this ID. */
  readonly sessionId: string | null
  readonly boardId: string | null
  readonly sizePx: SizePx | null
  readonly step: string | null
  readonly fraction: number | null
  readonly preview: string | null
  /** Made so far, without intermediate ones. */
  readonly imageNames: readonly string[]
  /** Of those, what is not in the views yet. */
  readonly landing: readonly string[]
}

/** What the page shows of items beyond what the server keeps of them. */
export interface GenerationState {
  readonly progress: ReadonlyMap<number, Progress>
  /** Failed items that a person has read and put away. */
  readonly dismissed: ReadonlySet<number>
  /** Items that were found to be canceled though nobody here did it: the server was stopped meanwhile. */
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

/** Hundreds of events a second are drawn a few times a second. In milliseconds. */
const DRAW_MS = 100

const useStore = create<GenerationState>(() => ({
  progress: new Map(),
  dismissed: new Set(),
  interrupted: new Set(),
}))

/** What is true now; the store follows. */
const progress = new Map<number, Progress>()
const draw = () => useStore.setState({ progress: new Map(progress) })
const drawSoon = throttled(draw, DRAW_MS)

/** All of it; re-renders when something changes. */
export const useGenerationState = (): GenerationState => useStore()

/** How far an item is. */
export const progressOf = (itemId: number): Progress => progress.get(itemId) ?? NO_PROGRESS

/** An item goes on. What is not said stays. */
export function progressed(itemId: number, change: Partial<Progress>): void {
  progress.set(itemId, { ...progressOf(itemId), ...change })
  drawSoon()
}

/** An item has made images. Drawn at once: they are shown next, and its tile has to be known as theirs by then. */
export function addMadeImages(itemId: number, imageNames: readonly string[]): void {
  const before = progressOf(itemId)
  progress.set(itemId, {
    ...before,
    imageNames: [...before.imageNames, ...imageNames],
    landing: [...before.landing, ...imageNames],
  })
  draw()
}

/** Nothing more comes of an item: at once, since what it made is drawn with the same breath. */
export function removeProgress(itemId: number): void {
  if (progress.delete(itemId)) draw()
}

/** A person has read of a failure. */
export function dismissed(itemIds: Iterable<number>): void {
  useStore.setState((state) => ({ dismissed: new Set([...state.dismissed, ...itemIds]) }))
}

/** Items were stopped, and nobody here did it. */
export function interrupted(itemIds: Iterable<number>): void {
  useStore.setState((state) => ({ interrupted: new Set([...state.interrupted, ...itemIds]) }))
}
