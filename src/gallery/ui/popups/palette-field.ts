import { create } from 'zustand'

interface PaletteField {
  readonly typed: string
  /** True if Enter was pressed while the palette or dialog loaded. */
  readonly isEntered: boolean
  /** The element that had the focus before the field. */
  readonly focusedBefore: HTMLElement | null
}

const EMPTY: PaletteField = { typed: '', isEntered: false, focusedBefore: null }

/**
 * The text field of the open palette, or of a dialog that asks for a name. While they load, another field is shown, so no
 * component can own its text.
 */
export const usePaletteField = create<PaletteField>(() => EMPTY)

export const useTyped = (): string => usePaletteField(({ typed }) => typed)

export const setTyped = (typed: string): void =>
  usePaletteField.setState({ typed, isEntered: false })

/** Returns what the user typed while a dialog loaded. Without it, the name that the field of the dialog begins with. */
export const typedOr = (name: string, maxLength: number): string =>
  usePaletteField.getState().typed.slice(0, maxLength) || name

/** Returns the element that had the focus before a palette or dialog began to load. null: it had loaded, or the element is gone. */
export function focusedBefore(): HTMLElement | null {
  const { focusedBefore: element } = usePaletteField.getState()
  return element?.isConnected ? element : null
}

/** Empties the field when its palette closes. */
export const clearField = (): void => usePaletteField.setState(EMPTY)
