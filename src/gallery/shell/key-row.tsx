import { type KeyboardEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '#gallery/ui/button.tsx'
import { conflictOf } from '#gallery/ui/commands/conflicts.ts'
import type { ListedCommand } from '#gallery/ui/commands/registry.ts'
import { KeyCaps } from '#gallery/ui/keys/key-caps.tsx'
import { keyNames } from '#gallery/ui/keys/key-names.ts'
import { canonicalKeys, keysOfPress, reservedReason } from '#gallery/ui/keys/key-press.ts'
import { changeKeys, keysOf, resetKeys, useChangedKeys } from '#gallery/ui/keys/key-settings.ts'

interface KeyRowProps {
  command: ListedCommand
  all: ReadonlyMap<string, ListedCommand>
  isEdited: boolean
  onEdit: () => void
  onEnd: () => void
}

/** The name and the keys of a command. A click on the keys changes them. */
export function KeyRow({ command, all, isEdited, onEdit, onEnd }: KeyRowProps) {
  const changed = useChangedKeys()
  const keys = keysOf(command, changed)
  const button = useRef<HTMLButtonElement>(null)
  const end = () => {
    // The button must exist again before the dialog misses the focus.
    flushSync(onEnd)
    button.current?.focus()
  }
  return (
    <div className="flex min-h-8 break-inside-avoid flex-wrap items-center justify-between gap-x-4 pointer-coarse:min-h-11">
      <dt className="text-sm">{command.name}</dt>
      <dd className="ml-auto flex shrink-0 justify-end gap-2">
        {command.areKeysNative
          ? keys.map((key) => <KeyCaps key={key} keys={key} />)
          : !isEdited && (
              <button
                ref={button}
                type="button"
                onClick={onEdit}
                className="flex min-h-8 items-center gap-2 rounded px-1 text-muted text-xs hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
              >
                <span className="sr-only">Change the shortcut of {command.name}: </span>
                {keys.map((key) => (
                  <KeyCaps key={key} keys={key} />
                ))}
                {keys.length === 0 && (changed[command.id] === undefined ? 'Add' : 'Off')}
              </button>
            )}
      </dd>
      {isEdited && <KeyEditor command={command} all={all} onEnd={end} />}
    </div>
  )
}

/** Keys that were pressed and cannot be used as they are. */
interface RefusedKeys {
  readonly keys: string
  readonly reason: string
  /** The command that has the keys; absent if no command can have them. */
  readonly other?: ListedCommand
}

function KeyEditor({ command, all, onEnd }: Pick<KeyRowProps, 'command' | 'all' | 'onEnd'>) {
  const changed = useChangedKeys()
  const [refused, setRefused] = useState<RefusedKeys | null>(null)
  const choose = (keys: string) => {
    const reason = reservedReason(keys)
    const other = conflictOf(command, keys, all.values(), changed)
    if (reason !== null) setRefused({ keys, reason })
    else if (other) setRefused({ keys, other, reason: reasonOf(keys, other) })
    else {
      changeKeys(command.id, [keys])
      onEnd()
    }
  }
  const press = (event: KeyboardEvent) => {
    // Tab and Enter still move to the buttons and press them.
    if (event.target !== event.currentTarget || event.key === 'Tab') return
    event.preventDefault()
    // Otherwise Escape closes the dialog, and other keys run commands.
    event.stopPropagation()
    if (event.key === 'Escape') return onEnd()
    const keys = keysOfPress(event.nativeEvent)
    if (keys !== null) choose(keys)
  }
  /** Gives the keys to this command, and switches them off for the other one. */
  const takeOver = ({ keys, other }: RefusedKeys) => {
    if (other) {
      const rest = keysOf(other, changed).filter(
        (one) => canonicalKeys(one) !== canonicalKeys(keys),
      )
      changeKeys(other.id, rest)
    }
    changeKeys(command.id, [keys])
    onEnd()
  }
  return (
    <div className="mb-2 flex w-full flex-col gap-2 rounded border border-line bg-sunken p-2">
      <button
        type="button"
        // biome-ignore lint/a11y/noAutofocus: the user just asked to press keys.
        autoFocus
        onKeyDown={press}
        aria-label={`Press the new shortcut of ${command.name}`}
        className="h-9 rounded border border-accent border-dashed text-accent text-sm pointer-coarse:h-11"
      >
        Press the new keys (Esc cancels)
      </button>
      {refused && (
        <p role="alert" className="text-danger text-sm">
          {refused.reason}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {refused?.other && <Button onClick={() => takeOver(refused)}>Use it here instead</Button>}
        {keysOf(command, changed).length > 0 && (
          <Button
            onClick={() => {
              changeKeys(command.id, [])
              onEnd()
            }}
          >
            Switch off
          </Button>
        )}
        {changed[command.id] !== undefined && (
          <Button
            onClick={() => {
              resetKeys(command.id)
              onEnd()
            }}
          >
            Reset
          </Button>
        )}
        <Button tone="quiet" onClick={onEnd}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

const reasonOf = (keys: string, { name, scopes }: ListedCommand): string =>
  `${keyNames(keys).join('+')} is the shortcut of “${name}” (${scopes[0]}).`
