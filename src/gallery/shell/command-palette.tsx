import type { LucideIcon } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { flushSync } from 'react-dom'
import { nameOf } from '#gallery/ui/commands/command.ts'
import { keyNames } from '#gallery/ui/keys/key-names.ts'
import { keysOf, useChangedKeys } from '#gallery/ui/keys/key-settings.ts'
import { Palette, PaletteChoice, PaletteGroup } from '#gallery/ui/popups/palette.tsx'
import { useTyped } from '#gallery/ui/popups/palette-field.ts'
import { createPreferences } from '#gallery/ui/preferences.ts'
import { entriesFor, type PaletteEntry } from './palette-entries.ts'
import type { PaletteContent } from './use-palette.ts'

/** A board, a saved search or another place that the palette opens. */
export interface PalettePlace {
  readonly id: string
  readonly name: string
  /** Shown next to the name: `Saved search`. */
  readonly about?: string
  readonly icon: LucideIcon
  readonly open: () => void
}

interface Entry extends PaletteEntry {
  readonly icon?: LucideIcon | undefined
  /** The first key of a command. */
  readonly keys?: string | undefined
  readonly disabledReason?: string | undefined
  readonly run: () => void
}

export interface CommandPaletteProps {
  content: PaletteContent
  places: readonly PalettePlace[]
  onClose: () => void
}

/** A palette with every command, setting and place. The ones chosen last come first. */
export function CommandPalette({ content, places, onClose }: CommandPaletteProps) {
  const typed = useTyped()
  const entries = useEntries(content, places)
  const recentIds = useRecent(({ ids }) => ids)
  const groups = useMemo(() => entriesFor(entries, recentIds, typed), [entries, recentIds, typed])
  const hasChosen = useRef(false)
  const choose = ({ id, run }: Entry) => {
    hasChosen.current = true
    // The command acts on what has the focus, and may move the focus itself.
    flushSync(onClose)
    const { focused } = content
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
    addRecent(id)
    run()
  }
  const [first] = [...groups.values()].flat()
  return (
    <Palette
      label="Command palette"
      placeholder="Find a command, board or setting"
      first={first?.id ?? ''}
      onClose={onClose}
      returnsFocus={() => !hasChosen.current}
    >
      {[...groups].map(
        ([heading, members]) =>
          members.length > 0 && (
            <PaletteGroup key={heading} heading={heading}>
              {members.map((entry) => (
                <Choice key={entry.id} entry={entry} onPick={() => choose(entry)} />
              ))}
            </PaletteGroup>
          ),
      )}
      {first === undefined && (
        <p className="px-2 py-2 text-muted text-sm">Nothing matches “{typed}”.</p>
      )}
    </Palette>
  )
}

function Choice({ entry, onPick }: { entry: Entry; onPick: () => void }) {
  const { id, name, about, icon: Icon, keys, disabledReason } = entry
  return (
    <PaletteChoice value={id} isDisabled={disabledReason !== undefined} onPick={onPick}>
      <span className="flex size-6 shrink-0 items-center justify-center text-muted">
        {Icon && <Icon aria-hidden size={16} strokeWidth={1.75} />}
      </span>
      <span dir="auto" className="min-w-0 truncate">
        {name}
      </span>
      <span dir="auto" className="min-w-0 flex-1 truncate text-muted text-sm">
        {about}
      </span>
      {disabledReason !== undefined && <span className="text-muted text-xs">{disabledReason}</span>}
      {keys !== undefined && disabledReason === undefined && (
        <kbd className="shrink-0 font-sans text-muted text-xs pointer-coarse:hidden">
          {keyNames(keys).join('+')}
        </kbd>
      )}
    </PaletteChoice>
  )
}

/** Returns the entries of the palette: the commands with their keys, then the places. */
function useEntries({ commands }: PaletteContent, places: readonly PalettePlace[]): Entry[] {
  const changed = useChangedKeys()
  return useMemo(() => {
    const ofCommands = commands
      .filter(({ isKeyOnly }) => !isKeyOnly)
      .map((command): Entry => {
        const { id, about, icon, disabledReason, run } = command
        const name = command.label.replace(/…$/, '')
        const keys = keysOf(command, changed)[0]
        const shown = { id, name, words: nameOf(command), about, icon, keys, disabledReason }
        return { ...shown, heading: 'Commands', run: () => run() }
      })
    const ofPlaces = places.map(({ id, open, ...shown }): Entry => {
      return { ...shown, id: `place:${id}`, heading: 'Places', run: open }
    })
    return [...ofCommands, ...ofPlaces]
  }, [commands, places, changed])
}

const MAX_RECENT = 5

const useRecent = createPreferences('recent-commands', { ids: [] as readonly string[] })

const addRecent = (id: string): void =>
  void useRecent.setState(({ ids }) => ({
    ids: [id, ...ids.filter((other) => other !== id)].slice(0, MAX_RECENT),
  }))
