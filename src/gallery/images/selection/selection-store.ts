import { create } from 'zustand'
import type { ImageRecord } from '#contract/image.ts'
import {
  countSelected,
  EVERYTHING,
  inverted,
  isSelected,
  NOTHING,
  only,
  onlyPosition,
  type Range,
  type Selection,
  shifted,
  toggled,
  without,
  withRanges,
} from './selection.ts'

/** An image and its position in the view. The name is empty while the record is not loaded. */
export interface GridItem {
  readonly imageName: string
  readonly position: number
}

interface SelectionState {
  selection: Selection
  /** The focused image: arrow keys start from it. */
  cursor: GridItem | null
  /** The position where a Shift range starts. */
  anchor: number | null
  /** The selection that a Shift range adds to. */
  beforeRange: Selection
  /** True if a plain click, an arrow key, the viewer or a delete selected this one image. */
  isSingle: boolean
  /** Identity token: replaced on each user selection, unchanged when positions shift. */
  choice: object
  /** True if the last input was a touch. A tap opens an image, unless images are selected. */
  isTouch: boolean
}

const EMPTY = {
  selection: NOTHING,
  cursor: null,
  anchor: null,
  beforeRange: NOTHING,
  isSingle: false,
}

const useStore = create<SelectionState>(() => ({ ...EMPTY, choice: {}, isTouch: false }))

type RecordAt = (position: number) => ImageRecord | undefined

export const useSelection = (): Selection => useStore(({ selection }) => selection)
export const useIsSelected = (imageName: string, position: number): boolean =>
  useStore(({ selection }) => isSelected(selection, imageName, position))
/** Returns true while at least two images are selected. */
export const useHasSeveralSelected = (): boolean =>
  useStore(({ selection }) => countSelected(selection, Number.POSITIVE_INFINITY) > 1)
export const useCursorPosition = (): number | null =>
  useStore(({ cursor }) => cursor?.position ?? null)
export const currentSelection = (): Selection => useStore.getState().selection
/** Identity token: replaced on each user selection, unchanged when positions shift. */
export const currentChoice = (): object => useStore.getState().choice
export const currentCursor = (): GridItem | null => useStore.getState().cursor

/** Records the kind of the last input: a touch, or a mouse or key. */
export const recordInput = (isTouch: boolean): void => {
  if (useStore.getState().isTouch !== isTouch) useStore.setState({ isTouch })
}

const setSelection = (selection: Selection, item: GridItem, isSingle: boolean): void =>
  useStore.setState({
    selection,
    cursor: item,
    anchor: item.position,
    beforeRange: selection,
    isSingle,
    choice: {},
  })

/** Selects only this image, as a plain click does. */
export const selectImage = (item: GridItem): void => {
  const { imageName, position } = item
  setSelection(imageName === '' ? onlyPosition(position) : only(imageName, position), item, true)
}

/** Adds this image to the selection or removes it, as a checkbox or Ctrl+click does. */
export const toggleImage = (item: GridItem): void =>
  setSelection(toggled(currentSelection(), item.imageName, item.position), item, false)

/** Moves the focus without changing the selection. */
export const moveCursor = (item: GridItem): void =>
  useStore.setState({ cursor: item, anchor: item.position, beforeRange: currentSelection() })

/** Selects from the anchor to this image, in addition to the images selected before the range. */
export function selectRange(item: GridItem, recordAt: RecordAt): void {
  const { anchor, beforeRange, cursor } = useStore.getState()
  const from = anchor ?? cursor?.position ?? item.position
  const range = { from: Math.min(from, item.position), to: Math.max(from, item.position) }
  useStore.setState({
    selection: withRanges(beforeRange, [range], recordAt),
    cursor: item,
    anchor: from,
    isSingle: false,
    choice: {},
  })
}

/** Selects the images in the current marquee, in addition to `before`. */
export const selectMarquee = (
  before: Selection,
  ranges: readonly Range[],
  recordAt: RecordAt,
): void =>
  useStore.setState({
    selection: withRanges(before, ranges, recordAt),
    isSingle: false,
    choice: {},
  })

const replaceSelection = (selection: Selection): void =>
  useStore.setState({ selection, beforeRange: selection, isSingle: false, choice: {} })

/** Ends a marquee. `cursor` is its first visible image, where keys continue; `null` if it contains none. */
export function endMarquee(cursor: GridItem | null): void {
  replaceSelection(currentSelection())
  useStore.setState({ cursor, anchor: cursor?.position ?? null })
}

/** Restores the selection from before a marquee, after Esc. */
export const cancelMarquee = (before: Selection): void => replaceSelection(before)

/**
 * Selects whole ranges, as "Select these" does. They are added to images that were selected one by one, by range or by
 * marquee. A single image selected by a click or an arrow key is replaced, because it may be off screen and was not
 * meant to be part of a group.
 *
 * @param cursor - The first visible image of the ranges.
 */
export function selectRanges(
  ranges: readonly Range[],
  recordAt: RecordAt,
  cursor: GridItem | null,
): void {
  const base = useStore.getState().isSingle ? NOTHING : currentSelection()
  replaceSelection(withRanges(base, ranges, recordAt))
  useStore.setState({ cursor, anchor: cursor?.position ?? null })
}

export const selectAll = (): void => replaceSelection(EVERYTHING)
export const invertSelection = (): void => replaceSelection(inverted(currentSelection()))
export const clearSelection = (): void => replaceSelection(NOTHING)

/** Clears the selection and the focus. */
export const resetSelection = (): void => useStore.setState({ ...EMPTY, choice: {} })

/** Shifts all positions after images were inserted or removed above. */
export function shiftSelection(by: number): void {
  if (by === 0) return
  useStore.setState(({ selection, cursor, anchor, beforeRange }) => ({
    selection: shifted(selection, by),
    beforeRange: shifted(beforeRange, by),
    cursor: cursor && { ...cursor, position: Math.max(0, cursor.position + by) },
    anchor: anchor === null ? null : Math.max(0, anchor + by),
  }))
}

/**
 * Updates the selection after the selected images were deleted.
 *
 * @param next - The visible image to select instead; `null` selects nothing. After a touch it only gets the focus: with
 * an image selected, the next tap would select instead of open.
 */
export function selectAfterDelete(next: GridItem | null): void {
  if (next !== null && !useStore.getState().isTouch) selectImage(next)
  else {
    replaceSelection(NOTHING)
    useStore.setState({ cursor: next, anchor: next?.position ?? null })
  }
}

/** Selects the last image of the viewer. It only gets the focus if several are selected, or after a touch. */
export function selectAfterViewer(item: GridItem, hasSeveral: boolean): void {
  if (hasSeveral || useStore.getState().isTouch) moveCursor(item)
  else selectImage(item)
}

/** Removes images that are no longer in the view from the selection. */
export function unselectImages(names: ReadonlySet<string>): void {
  const selection = without(currentSelection(), names)
  useStore.setState({ selection, beforeRange: selection })
}

/** Replaces a selection by position with names, because the images are about to leave the view. */
export const selectNames = (imageNames: readonly string[]): void =>
  replaceSelection({ ...NOTHING, added: new Map(imageNames.map((name) => [name, Infinity])) })

/** Updates the position of the focused image, or its name once its record is loaded. */
export function updateCursor(item: GridItem): void {
  const { cursor, selection, isSingle } = useStore.getState()
  useStore.setState({ cursor: item })
  const wasUnknown = isSingle && cursor?.imageName === '' && item.imageName !== ''
  if (!wasUnknown || !isSelected(selection, '', item.position)) return
  const named = only(item.imageName, item.position)
  useStore.setState({ selection: named, beforeRange: named })
}
