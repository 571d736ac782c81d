import { tinykeys } from 'tinykeys'
import { hasSingleKeys } from './key-settings.ts'

export interface KeyOptions {
  /** Returns the element of the keys, maybe in a dialog. Absent: the page, unless a dialog is open. */
  within?: (() => Element | null) | undefined
  /** Returns true if the keys handle this event, for example by focus. Otherwise others can handle it. */
  when?: ((event: KeyboardEvent) => boolean) | undefined
}

/** A key and its action. */
interface KeyHandler {
  /** In the notation of tinykeys. */
  readonly key: string
  readonly run: (event: KeyboardEvent) => void
}

/** Handles keys until the returned function is called. */
export function handleKeys(
  handlers: readonly KeyHandler[],
  mustIgnore: (event: KeyboardEvent) => boolean,
): () => void {
  const bindings = handlers.flatMap(({ key, run }) => {
    const act = (event: KeyboardEvent) => {
      event.preventDefault()
      run(event)
    }
    const actByPosition = (event: KeyboardEvent) => !isLatin(event.key) && act(event)
    const { byCharacter, byPosition } = formsOf(key)
    const character = [byCharacter, act] as const
    return byPosition === null ? [character] : [character, [byPosition, actByPosition] as const]
  })
  return tinykeys(window, Object.fromEntries(bindings), { ignore: mustIgnore })
}

/**
 * Returns how tinykeys matches a key on any keyboard layout.
 *
 * A letter is matched by its character, and also by its position on layouts with another script (Russian, Greek). A
 * symbol or digit is matched with and without Shift, which some layouts need for it (`/` on a German keyboard, `1` on a
 * French one).
 */
export function formsOf(keys: string): { byCharacter: string; byPosition: string | null } {
  const parts = keys.split('+')
  const last = parts.at(-1) ?? ''
  const modifiers = parts.slice(0, -1).map((modifier) => `${modifier}+`)
  if (/^[a-z]$/i.test(last)) {
    return { byCharacter: keys, byPosition: `${modifiers.join('')}Key${last.toUpperCase()}` }
  }
  const needsNoShift = last.length === 1 && !modifiers.includes('Shift+')
  return { byCharacter: needsNoShift ? `[Shift]+${keys}` : keys, byPosition: null }
}

const isLatin = (key: string): boolean => /^[a-z]$/i.test(key)

/** Returns true for a single printable key while such keys are turned off. Space works as on any control. */
const isTurnedOff = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !hasSingleKeys() && key.length === 1 && key !== ' ' && !(ctrlKey || metaKey || altKey)

/** Returns true if keys with these options must not handle the event. */
export function mustIgnore(event: KeyboardEvent, options: KeyOptions): boolean {
  if (event.defaultPrevented || event.isComposing || isTyping(event.target)) return true
  if (isTurnedOff(event) || isCovered(options)) return true
  return options.when !== undefined && !options.when(event)
}

/** Returns true if a dialog or menu is open over the element of the keys, or if that element is missing. */
export function isCovered({ within }: KeyOptions): boolean {
  const dialog = topDialog()
  const own = within?.() ?? null
  if (within && own === null) return true
  return dialog !== null && !(own && (dialog.contains(own) || own.contains(dialog)))
}

/** Returns true if an element takes keyboard input as text. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('textarea, select') !== null) return true
  const notTyped = ['checkbox', 'radio', 'range', 'button', 'submit', 'file']
  return target instanceof HTMLInputElement && !notTyped.includes(target.type)
}

/** Returns true if a dialog or a menu is open. */
export const isDialogOpen = (): boolean => topDialog() !== null

/** Returns the topmost dialog or menu. Portals are appended, so it is the last in the document. */
export function topDialog(): HTMLElement | null {
  const open = document.querySelectorAll<HTMLElement>(
    ':is([role="dialog"], [role="alertdialog"], [role="menu"]):not([data-closed], [hidden])',
  )
  return open[open.length - 1] ?? null
}
