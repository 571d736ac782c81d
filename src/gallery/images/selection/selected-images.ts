import type { QueryClient } from '@tanstack/react-query'
import type { ImageRecord } from '#contract/image.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { cachedWindows, imageKeys } from '#gallery/api/images/image-cache.ts'
import {
  type ImageView,
  type ImageWindows,
  positionsIn,
} from '#gallery/api/images/image-windows.ts'
import { type Noun, nounOfNames, nounOfSome } from '#gallery/api/images/noun.ts'
import type { Images } from '#gallery/api/outbox/rule-steps.ts'
import {
  type GridNow,
  isInSight,
  loadedRecord,
  loadedRecords,
  seenRange,
} from '#gallery/images/grid/grid-now.ts'
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
  clearSelection,
  currentChoice,
  currentCursor,
  currentSelection,
  type GridItem,
  selectNames,
  unselectImages,
  updateCursor,
} from './selection-store.ts'

export interface Targets {
  readonly count: number
  readonly noun: Noun
  /** For optimistic changes: names, or positions while the names are not loaded. */
  readonly images: Images
  /** Returns the names. Fetches them if only positions are known. */
  names(): Promise<readonly string[]>
  /** Returns the names, for actions that may remove the images from the view. The selection is then stored by name. */
  namesForRemoval(): Promise<readonly string[]>
  /** Moves the images to a board and unselects those that leave the view. */
  moveTo(boardId: string): void
}

/**
 * Returns the images that an action applies to: the selection that the selection bar shows, else the focused image if
 * its focus ring is visible. `null` if there is neither. An image off screen is never a target unless the bar counts
 * it.
 */
export function currentTargets(api: GalleryApi, now: GridNow): Targets | null {
  const { view, total } = now
  const noun = nounOfTargets(now)
  const selection = currentSelection()
  if (isNothing(selection)) {
    const focused = visibleFocus(now)
    return focused && namedTargets(api, view, [focused.imageName])
  }
  if (!needsNames(selection)) return namedTargets(api, view, resolved(selection, []))
  const choice = currentChoice()
  const isStillSelected = () => currentChoice() === choice
  // Images inserted above between selecting and acting shift a selection by position.
  const chosen = () => (isStillSelected() ? currentSelection() : selection)
  const namesOf = async (one: Selection) =>
    resolved(one, await api.queryClient.fetchQuery(api.imageQueries.names(view)))
  const names = () => namesOf(chosen())
  const rule = () => {
    const one = chosen()
    return { view, noun, positions: selectedPositions(one, total), names: () => namesOf(one) }
  }
  return {
    count: countSelected(selection, total),
    noun,
    // A large view has many positions, so they are listed only when an action runs.
    get images() {
      return rule()
    },
    names,
    namesForRemoval: async () => {
      const removed = await names()
      if (isStillSelected()) selectNames(removed)
      return removed
    },
    moveTo: (boardId) => {
      const images = rule()
      if (isLeavingView(view, boardId) && isStillSelected()) clearSelection()
      api.outbox.move(images, boardId)
    },
  }
}

/** Returns true if images that are moved to a board leave the view. */
const isLeavingView = ({ boardId }: ImageView, targetBoardId: string): boolean =>
  boardId !== null && boardId !== targetBoardId

function namedTargets(api: GalleryApi, view: ImageView, images: readonly string[]): Targets {
  const names = () => Promise.resolve(images)
  return {
    count: images.length,
    noun: nounOfNames(images),
    images,
    names,
    namesForRemoval: names,
    moveTo: (boardId) => {
      api.outbox.move(images, boardId)
      if (isLeavingView(view, boardId)) unselectImages(new Set(images))
    },
  }
}

/** Returns the focused image if it is on the screen and the browser shows the focus. */
function visibleFocus(now: GridNow): GridItem | null {
  const cursor = currentCursor()
  if (!cursor || !now.scroller.hasVisibleFocus || !isInSight(now, cursor.position)) return null
  const isThere = loadedRecord(now, cursor.position)?.image_name === cursor.imageName
  return isThere ? cursor : null
}

type IsTarget = (record: ImageRecord, position: number) => boolean

/** Returns a function that checks one record against the targets of {@link currentTargets}. */
function targetTest(now: GridNow): IsTarget {
  const selection = currentSelection()
  if (!isNothing(selection)) {
    return ({ image_name }, position) => isSelected(selection, image_name, position)
  }
  const focused = visibleFocus(now)
  return ({ image_name }) => image_name === focused?.imageName
}

/** Returns the loaded records among the targets of an action. */
export function targetRecords(now: GridNow): ImageRecord[] {
  const isTarget = targetTest(now)
  const records: ImageRecord[] = []
  for (const [position, record] of loadedRecords(now)) {
    if (isTarget(record, position)) records.push(record)
  }
  return records
}

/** Returns the word for the targets of an action. */
export function nounOfTargets(now: GridNow): Noun {
  const selection = currentSelection()
  const loaded = targetRecords(now).map(({ image_name }) => image_name)
  const names = [...new Set([...selection.added.keys(), ...loaded])]
  return nounOfSome(countSelected(selection, now.total), names, now.noun)
}

/**
 * Returns the image to select after the targets are deleted: the one after the first deleted image on the screen, else
 * the one before it. It takes the place of that image, so the user sees it. `null` if no deleted image is on the
 * screen, or if the next record is not loaded.
 */
export function nextAfterDelete(now: GridNow): GridItem | null {
  const isTarget = targetTest(now)
  const seen = seenRange(now)
  /** Returns the first image from a position on that is not deleted; `undefined` if records are not loaded. */
  const staying = (from: number, step: 1 | -1): GridItem | null | undefined => {
    for (let position = from; position >= 0 && position < now.total; position += step) {
      const record = loadedRecord(now, position)
      if (!record) return undefined
      if (!isTarget(record, position)) return { imageName: record.image_name, position }
    }
    return null
  }
  for (let position = seen.from; position <= seen.to; position += 1) {
    const record = loadedRecord(now, position)
    if (!record || !isTarget(record, position)) continue
    const next = staying(position, 1)
    return next === null ? (staying(position, -1) ?? null) : (next ?? null)
  }
  return null
}

/** Returns the position of an image in a view if its window is cached; else `null`. */
export function cachedPosition(
  client: QueryClient,
  { view }: { view: ImageView },
  imageName: string,
): number | null {
  return positionsIn(cachedWindows(client, view), new Set([imageName]))[0] ?? null
}

/** Keeps the focus on its image if the image moved differently from the rest, else on its position. */
export function moveCursorWithImage(client: QueryClient, now: GridNow): void {
  const cursor = currentCursor()
  const record = cursor && loadedRecord(now, cursor.position)
  if (!cursor || record?.image_name === cursor.imageName) return
  const position = cachedPosition(client, now, cursor.imageName)
  if (position !== null) updateCursor({ ...cursor, position })
  else if (record) updateCursor({ ...cursor, imageName: record.image_name })
}

/** Unselects images that left the view, for example because they were moved to another board. */
export function unselectGone(client: QueryClient, before: GridNow, { view }: GridNow): void {
  const { added } = currentSelection()
  if (added.size === 0) return
  const queryKey = imageKeys.names(view)
  const isCurrent = client.getQueryState(queryKey)?.isInvalidated === false
  const every = isCurrent ? client.getQueryData<readonly string[]>(queryKey) : undefined
  const namesIn = (windows: ImageWindows) =>
    [...loadedRecords({ windows })].map(([, one]) => one.image_name)
  const wasThere = every ? added.keys() : namesIn(before.windows).filter((name) => added.has(name))
  const gone = new Set(wasThere)
  // A set of all names of a large view would block the page. The selected ones are few, and often near the start.
  for (const name of every ?? namesIn(cachedWindows(client, view))) {
    if (gone.size === 0) return
    gone.delete(name)
  }
  if (gone.size > 0) unselectImages(gone)
}
