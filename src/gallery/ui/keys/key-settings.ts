import { createPreferences } from '#gallery/ui/preferences.ts'

/** The keys that the user chose, by command. An empty list switches the keys of a command off. */
export type ChangedKeys = Readonly<Record<string, readonly string[]>>

interface KeySettings {
  /** True if keys without Ctrl, Alt or ⌘ are enabled. Users of speech input turn them off. */
  readonly singleKeys: boolean
  readonly changed: ChangedKeys
}

const useSettings = createPreferences<KeySettings>('keys', { singleKeys: true, changed: {} }, 1)

export const useSingleKeys = (): boolean => useSettings(({ singleKeys }) => singleKeys)
export const hasSingleKeys = (): boolean => useSettings.getState().singleKeys
export const setSingleKeys = (singleKeys: boolean): void =>
  void useSettings.setState({ singleKeys })

export const useChangedKeys = (): ChangedKeys => useSettings(({ changed }) => changed)
export const changedKeys = (): ChangedKeys => useSettings.getState().changed

/** Stores the keys of a command in this browser. An empty list switches its keys off. */
export const changeKeys = (commandId: string, keys: readonly string[]): void =>
  void useSettings.setState(({ changed }) => ({ changed: { ...changed, [commandId]: keys } }))

/** Restores the default keys of a command. */
export const resetKeys = (commandId: string): void =>
  void useSettings.setState(({ changed: { [commandId]: _, ...changed } }) => ({ changed }))

export const resetAllKeys = (): void => void useSettings.setState({ changed: {} })

interface Keyed {
  readonly id: string
  readonly keys?: string | readonly string[] | undefined
  readonly areKeysNative?: boolean | undefined
}

/** Returns the keys of a command: those that the user chose, else its default keys. */
export const keysOf = (
  { id, keys, areKeysNative }: Keyed,
  changed: ChangedKeys,
): readonly string[] => (areKeysNative ? undefined : changed[id]) ?? [keys ?? []].flat()

/** Returns the first key of a command, as a hint; undefined if it has none. */
export const useKeyHint = (command: Keyed): string | undefined =>
  keysOf(command, useChangedKeys())[0]
