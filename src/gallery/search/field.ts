import type { Place } from '#contract/search/search.ts'

export const FIELD_ID = 'search-field'

const field = (): HTMLInputElement | null => document.querySelector(`#${FIELD_ID}`)

export const focusField = (): void => field()?.focus()

/** Selects a part of the search in the field, for editing. */
export function selectInField({ start, end }: Place): void {
  const input = field()
  if (input === null) return
  const spaces = input.value.length - input.value.trimStart().length
  input.focus()
  input.setSelectionRange(start + spaces, end + spaces)
}

/** Replaces a part of the text as if the user had typed it, so that the browser can undo it. */
export function typeInField({ start, end }: Place, text: string): void {
  const input = field()
  if (input === null) return
  input.focus()
  input.setSelectionRange(start, end)
  if (insertByCommand(text)) return
  const value = input.value.slice(0, start) + text + input.value.slice(end)
  // React does not see a change by the property of the element itself.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value)
  input.setSelectionRange(start + text.length, start + text.length)
  input.dispatchEvent(
    new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }),
  )
}

/** The command is deprecated, but nothing else keeps the undo history of a field. */
const insertByCommand = (text: string): boolean =>
  typeof document.execCommand === 'function' && document.execCommand('insertText', false, text)
