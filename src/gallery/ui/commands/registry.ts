import { useEffect, useEffectEvent } from 'react'
import { create } from 'zustand'
import { type ChangedKeys, keysOf, useChangedKeys } from '#gallery/ui/keys/key-settings.ts'
import { handleKeys, isCovered, type KeyOptions, mustIgnore } from '#gallery/ui/keys/keys.ts'
import { type Command, nameOf } from './command.ts'

/*
 * All commands of the page. Components register them while they are mounted. The keys, the list of keys, the palette
 * and the hints in menus and tooltips read this registry.
 */

/** The part of a command that is listed, also before and after its component is mounted. */
export interface ListedCommand extends Pick<Command, 'id' | 'keys' | 'areKeysNative'> {
  readonly name: string
  /** The parts of the page that have the command, as headings: `Images`. */
  readonly scopes: readonly string[]
}

interface CommandOptions extends KeyOptions {
  /**
   * Returns the commands with their current labels for the palette and for menus that the feature does not know. Absent:
   * the registered ones.
   */
  now?: () => readonly Command[]
}

/** The commands of a mounted component. */
interface Registration {
  readonly commands: () => readonly Command[]
  readonly isCovered: () => boolean
}

interface Registry {
  readonly listed: ReadonlyMap<string, ListedCommand>
  readonly registrations: readonly Registration[]
}

const useRegistry = create<Registry>(() => ({ listed: new Map(), registrations: [] }))

/** Returns all commands registered since the page load, in order of registration. */
export const useListedCommands = (): ReadonlyMap<string, ListedCommand> =>
  useRegistry(({ listed }) => listed)

/** Returns the first key of a command, as a hint; undefined if it has none or is not listed. */
export function useKeyOf(commandId: string): string | undefined {
  const command = useRegistry(({ listed }) => listed.get(commandId))
  const changed = useChangedKeys()
  return command && keysOf(command, changed)[0]
}

/**
 * Registers commands while the component is mounted. Their keys are ignored while the user is typing, and for events
 * that an element nearer to the focus has handled.
 *
 * @param scope - Heading under which the keys are listed, such as `Images`.
 */
export function useCommands(
  scope: string,
  commands: readonly Command[],
  options: CommandOptions = {},
): void {
  const changed = useChangedKeys()
  const run = useEffectEvent((id: string, event: KeyboardEvent) =>
    commands.find((command) => command.id === id)?.run(event),
  )
  const ignore = useEffectEvent((event: KeyboardEvent) => mustIgnore(event, options))
  const isHidden = useEffectEvent(() => isCovered(options))
  const now = useEffectEvent(() => options.now?.() ?? commands)
  const shape = JSON.stringify(commands.map((command) => listedOf(scope, command)))
  useEffect(() => {
    const listed: ListedCommand[] = JSON.parse(shape)
    list(listed)
    const registration = { commands: () => now(), isCovered: () => isHidden() }
    useRegistry.setState(({ registrations }) => ({
      registrations: [...registrations, registration],
    }))
    const endKeys = handleKeys(
      listed.flatMap((command) =>
        keysToHandle(command, changed).map((key) => ({
          key,
          run: (event) => void run(command.id, event),
        })),
      ),
      (event) => ignore(event),
    )
    return () => {
      endKeys()
      useRegistry.setState(({ registrations }) => ({
        registrations: registrations.filter((other) => other !== registration),
      }))
    }
  }, [shape, changed])
}

const keysToHandle = (command: ListedCommand, changed: ChangedKeys): readonly string[] =>
  command.areKeysNative ? [] : keysOf(command, changed)

const listedOf = (scope: string, command: Omit<Command, 'run'>): ListedCommand => {
  const { id, keys, areKeysNative } = command
  const fixed = areKeysNative === undefined ? {} : { areKeysNative }
  return { id, name: nameOf(command), scopes: [scope], ...(keys && { keys }), ...fixed }
}

/** Lists commands before their component is mounted, so that users can look them up and change their keys. */
export const listCommands = (scope: string, commands: readonly Omit<Command, 'run'>[]): void =>
  list(commands.map((command) => listedOf(scope, command)))

function list(commands: readonly ListedCommand[]): void {
  useRegistry.setState(({ listed: before }) => {
    const listed = new Map(before)
    for (const command of commands) {
      const scopes = new Set([...(before.get(command.id)?.scopes ?? []), ...command.scopes])
      listed.set(command.id, { ...command, scopes: [...scopes] })
    }
    return { listed }
  })
}

/** Returns the commands that can be reached now: those of the page, or of the dialog that covers it. */
export function reachableCommands(): readonly Command[] {
  const { registrations } = useRegistry.getState()
  const commands = registrations
    .filter((registration) => !registration.isCovered())
    .flatMap((registration) => registration.commands())
  return [...new Map(commands.map((command) => [command.id, command])).values()]
}

/** Returns the reachable commands with these IDs, in this order. */
export function reachableByIds(ids: readonly string[]): readonly Command[] {
  const commands = new Map(reachableCommands().map((command) => [command.id, command]))
  return ids.flatMap((id) => commands.get(id) ?? [])
}
