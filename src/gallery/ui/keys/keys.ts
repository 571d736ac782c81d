import { useEffect, useEffectEvent } from 'react'
import { tinykeys } from 'tinykeys'
import { create } from 'zustand'
import { createPreferences } from '#gallery/ui/preferences.ts'

/** A shortcut and its action. */
export interface KeyBinding {
  /** In the notation of tinykeys: `m`, `$mod+z`, `Shift+ArrowRight`. An array lists alternatives. */
  keys: string | readonly string[]
  /** Description for the list of shortcuts. */
  label: string
  run: (event: KeyboardEvent) => void
}

interface KeyOptions {
  /** Returns the element of the shortcuts, maybe in a dialog. Absent: the page, unless a dialog is open. */
  within?: () => Element | null
  /** Returns true if the shortcuts handle this event, for example by focus. Otherwise others can handle it. */
  when?: (event: KeyboardEvent) => boolean
}

/** The part of a shortcut that is listed. */
export type ListedKey = Pick<KeyBinding, 'keys' | 'label'>

/** True if shortcuts without Ctrl, Alt or ⌘ are enabled. Users of speech input turn them off. */
const usePreference = createPreferences('keys', { singleKeys: true }, 1)

export const useSingleKeys = (): boolean => usePreference(({ singleKeys }) => singleKeys)
export const setSingleKeys = (singleKeys: boolean): void => {
  usePreference.setState({ singleKeys })
}

/** Returns true for a single printable key while such shortcuts are disabled. Space works as on any control. */
const isTurnedOff = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !usePreference.getState().singleKeys &&
  key.length === 1 &&
  key !== ' ' &&
  !(ctrlKey || metaKey || altKey)

const useRegistry = create<{ scopes: ReadonlyMap<string, readonly ListedKey[]> }>(() => ({
  scopes: new Map(),
}))

/** Returns all shortcuts registered since the page load by scope, in order of registration. */
export const useKeyScopes = (): ReadonlyMap<string, readonly ListedKey[]> =>
  useRegistry(({ scopes }) => scopes)

/**
 * Registers shortcuts while the component is mounted. They are ignored while the user is typing, and for events that an
 * element nearer to the focus has handled.
 *
 * @param scope - Heading under which the shortcuts are listed, such as `Images`.
 */
export function useKeys(
  scope: string,
  bindings: readonly KeyBinding[],
  options: KeyOptions = {},
): void {
  const run = useEffectEvent((index: number, event: KeyboardEvent) => bindings[index]?.run(event))
  const ignore = useEffectEvent((event: KeyboardEvent) => mustIgnore(event, options))
  const shape = JSON.stringify(bindings.map(({ keys, label }) => ({ keys, label })))
  useEffect(() => {
    const listed: ListedKey[] = JSON.parse(shape)
    listKeys(scope, listed)
    const handlers = listed.flatMap(({ keys }, index) => {
      const act = (event: KeyboardEvent) => {
        event.preventDefault()
        run(index, event)
      }
      const actByPosition = (event: KeyboardEvent) => !isLatin(event.key) && act(event)
      return [keys].flat().flatMap((key) => {
        const { byCharacter, byPosition } = formsOf(key)
        const character = [byCharacter, act] as const
        return byPosition === null ? [character] : [character, [byPosition, actByPosition] as const]
      })
    })
    return tinykeys(window, Object.fromEntries(handlers), {
      ignore: (event) => ignore(event),
    })
  }, [scope, shape])
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

/** Lists shortcuts in the help (`?`), also after their component unmounts, so that users can look them up. */
export function listKeys(scope: string, keys: readonly ListedKey[]): void {
  useRegistry.setState(({ scopes }) => {
    const before = scopes.get(scope) ?? []
    const labels = new Set(keys.map(({ label }) => label))
    const others = before.filter(({ label }) => !labels.has(label))
    return { scopes: new Map(scopes).set(scope, [...others, ...keys]) }
  })
}

function mustIgnore(event: KeyboardEvent, options: KeyOptions): boolean {
  const { within, when } = options
  if (event.defaultPrevented || event.isComposing || isTyping(event.target)) return true
  if (isTurnedOff(event)) return true
  const dialog = topDialog()
  const own = within?.() ?? null
  if (within && own === null) return true
  const isCovered = dialog !== null && !(own && (dialog.contains(own) || own.contains(dialog)))
  return isCovered || (when !== undefined && !when(event))
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
