import { create } from 'zustand'
import type { ImageRecord } from '#contract/image.ts'
import {
  EVERYTHING,
  inverted,
  isNothing,
  isSelected,
  NOTHING,
  only,
  type Range,
  type Selection,
  shifted,
  toggled,
  without,
  withRanges,
} from './selection.ts'

/** An image and where it stands in the view. */
export interface Spot {
  readonly imageName: string
  readonly position: number
}

interface SelectionState {
  selection: Selection
  /** The image that keys act on: where the focus is. */
  cursor: Spot | null
  /** Where a range begins that Shift draws. */
  anchor: number | null
  /** What was selected before that range, which it adds to. */
  beforeRange: Selection
  /** Another one whenever a person selects; the same while the view moves what is selected. */
  choice: object
}

const EMPTY: SelectionState = {
  selection: NOTHING,
  cursor: null,
  anchor: null,
  beforeRange: NOTHING,
  choice: {},
}

const useStore = create<SelectionState>(() => EMPTY)

type RecordAt = (position: number) => ImageRecord | undefined

export const useSelection = (): Selection => useStore(({ selection }) => selection)
export const useHasSelection = (): boolean => useStore(({ selection }) => !isNothing(selection))
export const useIsSelected = (imageName: string, position: number): boolean =>
  useStore(({ selection }) => isSelected(selection, imageName, position))
export const useCursorPosition = (): number | null =>
  useStore(({ cursor }) => cursor?.position ?? null)
export const currentSelection = (): Selection => useStore.getState().selection
/** What a person has chosen: the same as long as they select nothing else, wherever it moves to meanwhile. */
export const currentChoice = (): object => useStore.getState().choice
export const currentCursor = (): Spot | null => useStore.getState().cursor

const chosen = (selection: Selection, spot: Spot): void =>
  useStore.setState({
    selection,
    cursor: spot,
    anchor: spot.position,
    beforeRange: selection,
    choice: {},
  })

/** Clicked without a key: this one and no other. */
export const imageChosen = (spot: Spot): void => chosen(only(spot.imageName, spot.position), spot)

/** Ticked, or clicked with Ctrl: the other way round. */
export const imageToggled = (spot: Spot): void =>
  chosen(toggled(currentSelection(), spot.imageName, spot.position), spot)

/** The focus moved without selecting. */
export const cursorMoved = (spot: Spot): void =>
  useStore.setState({ cursor: spot, anchor: spot.position, beforeRange: currentSelection() })

/** Shift: everything from the anchor to here, either way, on top of what was selected before. */
export function rangeChosen(spot: Spot, recordAt: RecordAt): void {
  const { anchor, beforeRange, cursor } = useStore.getState()
  const from = anchor ?? cursor?.position ?? spot.position
  const range = { from: Math.min(from, spot.position), to: Math.max(from, spot.position) }
  useStore.setState({
    selection: withRanges(beforeRange, [range], recordAt),
    cursor: spot,
    anchor: from,
    choice: {},
  })
}

/** A marquee lies over these. */
export const marqueeDrawn = (
  before: Selection,
  ranges: readonly Range[],
  recordAt: RecordAt,
): void => useStore.setState({ selection: withRanges(before, ranges, recordAt), choice: {} })

/** A marquee has ended, or Esc took it back. */
export const marqueeEnded = (selection: Selection): void =>
  useStore.setState({ selection, beforeRange: selection, choice: {} })

/** Some images were selected at once, as by "select these". */
export const rangesChosen = (ranges: readonly Range[], recordAt: RecordAt): void =>
  marqueeEnded(withRanges(currentSelection(), ranges, recordAt))

export const everythingChosen = (): void => marqueeEnded(EVERYTHING)
export const selectionInverted = (): void => marqueeEnded(inverted(currentSelection()))
export const selectionCleared = (): void => marqueeEnded(NOTHING)

/** Another view is shown: nothing of the old one is selected. */
export const viewLeft = (): void => useStore.setState({ ...EMPTY, choice: {} })

/** The content moved on by some places above all that is selected. */
export function selectionShifted(by: number): void {
  if (by === 0) return
  useStore.setState(({ selection, cursor, anchor, beforeRange }) => ({
    selection: shifted(selection, by),
    beforeRange: shifted(beforeRange, by),
    cursor: cursor && { ...cursor, position: Math.max(0, cursor.position + by) },
    anchor: anchor === null ? null : Math.max(0, anchor + by),
  }))
}

/** The selected images were deleted; `next` takes the focus and is selected in their place. */
export function selectionDeleted(next: Spot | null): void {
  if (next === null) selectionCleared()
  else imageChosen(next)
}

/** Of what is selected, these are not in the view any more. */
export function imagesLeft(names: ReadonlySet<string>): void {
  const selection = without(currentSelection(), names)
  useStore.setState({ selection, beforeRange: selection })
}

/**
 * The rule that was selected has become names, because they are about to leave the view: a rule by
 * position would then mean others.
 */
export const selectionNamed = (imageNames: readonly string[]): void =>
  marqueeEnded({ ...NOTHING, added: new Map(imageNames.map((name) => [name, Infinity])) })

/** The cursor's image was found at another position. */
export const cursorFound = (spot: Spot): void => useStore.setState({ cursor: spot })
