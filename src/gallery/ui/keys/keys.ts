import { useEffect, useRef } from 'react'
import { tinykeys } from 'tinykeys'
import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** What a key does. */
export interface KeyBinding {
  /** As tinykeys writes them: `m`, `$mod+z`, `Shift+ArrowRight`. Several do the same. */
  keys: string | readonly string[]
  /** What happens, for the list of keys. */
  label: string
  run: (event: KeyboardEvent) => void
}

interface KeyOptions {
  /** Whether they act now. They are listed either way. */
  isOn?: boolean
  /** What they belong to, which may lie in a dialog. Absent: the page. It rests while a dialog is open. */
  within?: () => Element | null
  /** Whether they act on this press, such as where the focus is. Otherwise it goes on to others. */
  when?: (event: KeyboardEvent) => boolean
}

/** What is listed of a key. */
export type ListedKey = Pick<KeyBinding, 'keys' | 'label'>

/** Whether letters, digits and symbols without Ctrl, Alt or ⌘ act. People who use speech input turn them off. */
const usePreference = create<{ singleKeys: boolean }>()(
  persist((): { singleKeys: boolean } => ({ singleKeys: true }), {
    name: 'tessera:keys',
    version: 1,
  }),
)

export const useSingleKeys = (): boolean => usePreference(({ singleKeys }) => singleKeys)
export const setSingleKeys = (singleKeys: boolean): void => {
  usePreference.setState({ singleKeys })
}

/** Whether an event is a single printable key that is turned off. Space acts as on any control. */
const isTurnedOff = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !usePreference.getState().singleKeys &&
  key.length === 1 &&
  key !== ' ' &&
  !(ctrlKey || metaKey || altKey)

const useRegistry = create<{ scopes: ReadonlyMap<string, readonly ListedKey[]> }>(() => ({
  scopes: new Map(),
}))

/** Every key that was there since the page was loaded, by scope, in the order in which they came. */
export const useKeyScopes = (): ReadonlyMap<string, readonly ListedKey[]> =>
  useRegistry(({ scopes }) => scopes)

/**
 * Makes keys act for as long as the component is there. No key acts while a person is typing, nor
 * after something nearer to the focus has taken it.
 *
 * @param scope - Where they act, such as `Images`: the heading under which they are listed.
 */
export function useKeys(
  scope: string,
  bindings: readonly KeyBinding[],
  options: KeyOptions = {},
): void {
  const current = useRef({ bindings, options })
  useEffect(() => {
    current.current = { bindings, options }
  })

  const shape = JSON.stringify(bindings.map(({ keys, label }) => ({ keys, label })))
  useEffect(() => {
    const listed: ListedKey[] = JSON.parse(shape)
    listKeys(scope, listed)
    const handlers = listed.flatMap(({ keys }, index) => {
      const act = (event: KeyboardEvent) => {
        event.preventDefault()
        current.current.bindings[index]?.run(event)
      }
      const actByPosition = (event: KeyboardEvent) => !isLatin(event.key) && act(event)
      return [keys].flat().flatMap((key) => {
        const { byCharacter, byPosition } = formsOf(key)
        const character = [byCharacter, act] as const
        return byPosition === null ? [character] : [character, [byPosition, actByPosition] as const]
      })
    })
    return tinykeys(window, Object.fromEntries(handlers), {
      ignore: (event) => mustIgnore(event, current.current.options),
    })
  }, [scope, shape])
}

/**
 * How tinykeys finds a key on any keyboard layout.
 *
 * A letter is found by its character, and by its position on layouts that write another script there
 * (Russian, Greek). A symbol or digit is found with and without Shift, which some layouts need for it
 * (`/` on a German keyboard, `1` on a French one).
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

/** Lists keys for `?`. They stay listed when their component goes: people look them up before they need them. */
export function listKeys(scope: string, keys: readonly ListedKey[]): void {
  useRegistry.setState(({ scopes }) => {
    const before = scopes.get(scope) ?? []
    const labels = new Set(keys.map(({ label }) => label))
    const others = before.filter(({ label }) => !labels.has(label))
    return { scopes: new Map(scopes).set(scope, [...others, ...keys]) }
  })
}

function mustIgnore(event: KeyboardEvent, options: KeyOptions): boolean {
  const { isOn = true, within, when } = options
  if (!isOn || event.defaultPrevented || event.isComposing || isTyping(event.target)) return true
  if (isTurnedOff(event)) return true
  const dialog = topDialog()
  const own = within?.() ?? null
  if (within && own === null) return true
  const isCovered = dialog !== null && !(own && (dialog.contains(own) || own.contains(dialog)))
  return isCovered || (when !== undefined && !when(event))
}

/** Whether keys go into a field. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('textarea, select') !== null) return true
  const notTyped = ['checkbox', 'radio', 'range', 'button', 'submit', 'file']
  return target instanceof HTMLInputElement && !notTyped.includes(target.type)
}

/** Whether a dialog or a menu lies over the page. */
export const isDialogOpen = (): boolean => topDialog() !== null

/** The dialog or menu that lies over all others. Portals are appended, so it is the last. */
export function topDialog(): HTMLElement | null {
  const open = document.querySelectorAll<HTMLElement>(
    ':is([role="dialog"], [role="alertdialog"], [role="menu"]):not([data-closed], [hidden])',
  )
  return open[open.length - 1] ?? null
}
