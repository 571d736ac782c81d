import { create } from 'zustand'

interface PaletteField {
  readonly typed: string
  /** The element that had the focus before the field. */
  readonly focusedBefore: HTMLElement | null
}

const EMPTY: PaletteField = { typed: '', focusedBefore: null }

/** The text field of the open palette. A palette that loads shows another field first, so no component can own its text. */
export const usePaletteField = create<PaletteField>(() => EMPTY)

export const useTyped = (): string => usePaletteField(({ typed }) => typed)

export const setTyped = (typed: string): void => usePaletteField.setState({ typed })

/** Empties the field when its palette closes. */
export const clearField = (): void => usePaletteField.setState(EMPTY)
