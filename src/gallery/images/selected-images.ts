import type { QueryClient } from '@tanstack/react-query'
import type { ImageRecord } from '#contract/image.ts'
import { imageQueries } from '#gallery/api/image-queries.ts'
import type { Images } from '#gallery/api/image-rule.ts'
import { type ImageView, type ImageWindow, WINDOW_SIZE } from '#gallery/api/image-windows.ts'
import { moveImages } from '#gallery/api/outbox.ts'
import { type GridNow, loadedRecords } from './grid-now.ts'
import {
  countSelected,
  isNothing,
  isSelected,
  needsNames,
  resolved,
  type Selection,
  selectedPositions,
} from './selection.ts'
import {
  currentChoice,
  currentCursor,
  currentSelection,
  imagesLeft,
  type Spot,
  selectionCleared,
  selectionNamed,
} from './selection-store.ts'

/** What an action is about to be done to. */
export interface Targets {
  readonly count: number
  /** For what shows at once, before the names of all are known. */
  readonly images: Images
  /** Fetches the names where only a rule is known. */
  names(): Promise<readonly string[]>
  /** The same, for what may take them out of the view. */
  leavingNames(): Promise<readonly string[]>
  /** Moves them to a board. What leaves the view by that is not selected any more. */
  moveTo(boardId: string): void
}

/** What is selected, else the image that has the focus; `null` where there is neither. */
export function currentTargets(
  client: QueryClient,
  { view, total }: { view: ImageView; total: number },
): Targets | null {
  const selection = currentSelection()
  const cursor = currentCursor()
  if (isNothing(selection)) {
    if (!cursor || cursor.imageName === '') return null
    return namedTargets(view, [cursor.imageName])
  }
  if (!needsNames(selection)) return namedTargets(view, resolved(selection, []))
  const choice = currentChoice()
  const isStillSelected = () => currentChoice() === choice
  // What comes in above between choosing and acting moves what was chosen by position.
  const chosen = () => (isStillSelected() ? currentSelection() : selection)
  const namesOf = async (one: Selection) =>
    resolved(one, await client.fetchQuery(imageQueries.names(view)))
  const names = () => namesOf(chosen())
  const rule = () => {
    const one = chosen()
    return { view, positions: selectedPositions(one, total), names: () => namesOf(one) }
  }
  return {
    count: countSelected(selection, total),
    // Of a large view these are many positions: listed only when it is acted on.
    get images() {
      return rule()
    },
    names,
    leavingNames: async () => {
      const leaving = await names()
      if (isStillSelected()) selectionNamed(leaving)
      return leaving
    },
    moveTo: (boardId) => {
      const images = rule()
      if (isLeftFor(view, boardId) && isStillSelected()) selectionCleared()
      moveImages(images, boardId)
    },
  }
}

/** Whether images that are moved to a board leave the view. */
const isLeftFor = ({ boardId }: ImageView, targetBoardId: string): boolean =>
  boardId !== null && boardId !== targetBoardId

function namedTargets(view: ImageView, images: readonly string[]): Targets {
  const names = () => Promise.resolve(images)
  return {
    count: images.length,
    images,
    names,
    leavingNames: names,
    moveTo: (boardId) => {
      moveImages(images, boardId)
      if (isLeftFor(view, boardId)) imagesLeft(new Set(images))
    },
  }
}

/** The records of what is selected, as far as they are loaded; of the focused image where nothing is. */
export function targetRecords(now: GridNow): ImageRecord[] {
  const selection = currentSelection()
  const cursor = currentCursor()
  const isMeant = isNothing(selection)
    ? (record: ImageRecord) => record.image_name === cursor?.imageName
    : (record: ImageRecord, position: number) => isSelected(selection, record.image_name, position)
  const records: ImageRecord[] = []
  for (const [position, record] of loadedRecords(now)) {
    if (isMeant(record, position)) records.push(record)
  }
  return records
}

/** The image that takes the focus when those that are selected go away: the next one that stays. */
export function nextStaying(now: GridNow): Spot | null {
  const selection = currentSelection()
  const cursor = currentCursor()
  let next: Spot | null = null
  let previous: Spot | null = null
  const from = cursor?.position ?? 0
  for (const [position, record] of loadedRecords(now)) {
    const imageName = record.image_name
    const isGoing = isNothing(selection)
      ? imageName === cursor?.imageName
      : isSelected(selection, imageName, position)
    if (isGoing) continue
    if (position >= from && (next === null || position < next.position))
      next = { imageName, position }
    if (position < from && (previous === null || position > previous.position)) {
      previous = { imageName, position }
    }
  }
  return next ?? previous
}

/** Every record of a view that was fetched, on the screen or not, with its position. */
function* cachedRecords(client: QueryClient, view: ImageView) {
  const windows = client.getQueriesData<ImageWindow>({ queryKey: imageQueries.windows(view) })
  for (const [key, window] of windows) {
    for (const [offset, record] of (window?.items ?? []).entries()) {
      if (record) yield [Number(key.at(-1)) * WINDOW_SIZE + offset, record] as const
    }
  }
}

/** Where an image stands in a view, where that was fetched. */
export function cachedPosition(
  client: QueryClient,
  { view }: { view: ImageView },
  imageName: string,
): number | null {
  for (const [position, { image_name }] of cachedRecords(client, view)) {
    if (image_name === imageName) return position
  }
  return null
}

/** Unselects what has left the view, as when it was moved to another board. */
export function unselectGone(client: QueryClient, before: GridNow, { view }: GridNow): void {
  const { added } = currentSelection()
  if (added.size === 0) return
  const { queryKey } = imageQueries.names(view)
  const isCurrent = client.getQueryState(queryKey)?.isInvalidated === false
  const every = isCurrent ? client.getQueryData(queryKey) : undefined
  const there = new Set(every ?? [...cachedRecords(client, view)].map(([, one]) => one.image_name))
  const wasThere = every
    ? [...added.keys()]
    : [...loadedRecords(before)].map(([, one]) => one.image_name)
  const gone = wasThere.filter((name) => added.has(name) && !there.has(name))
  if (gone.length > 0) imagesLeft(new Set(gone))
}
