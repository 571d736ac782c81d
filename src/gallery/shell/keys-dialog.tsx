import { useState } from 'react'
import { Button } from '#gallery/ui/button.tsx'
import { type ListedCommand, useListedCommands } from '#gallery/ui/commands/registry.ts'
import {
  keysOf,
  resetAllKeys,
  setSingleKeys,
  useChangedKeys,
  useSingleKeys,
} from '#gallery/ui/keys/key-settings.ts'
import { Dialog } from '#gallery/ui/popups/dialog.tsx'
import { GUIDE_URL } from './guide.ts'
import { KeyRow } from './key-row.tsx'

/** The keys of all commands, from the registry that handles them. Each can be changed, switched off and reset. */
export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const singleKeys = useSingleKeys()
  const hasChanges = Object.keys(useChangedKeys()).length > 0
  const [filter, setFilter] = useState('')
  return (
    <Dialog
      title="Keyboard shortcuts"
      description="Choose a shortcut to change it. Changes are stored in this browser."
      isWide
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <a
            href={GUIDE_URL}
            target="_blank"
            rel="noreferrer"
            className="mr-auto flex min-h-9 items-center rounded px-1 text-accent text-sm underline underline-offset-4 pointer-coarse:min-h-11"
          >
            Guide
          </a>
          <Button tone="quiet" disabled={!hasChanges} onClick={resetAllKeys}>
            Reset all
          </Button>
          <Button tone="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <input
          type="search"
          aria-label="Filter shortcuts"
          placeholder="Filter"
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
          className="h-9 min-w-0 flex-1 rounded border border-line bg-surface px-3 text-sm placeholder:text-muted pointer-coarse:h-11"
        />
        <label className="flex min-h-9 items-center gap-3 text-sm pointer-coarse:min-h-11">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={singleKeys}
            onChange={({ target }) => setSingleKeys(target.checked)}
          />
          Single-key shortcuts (letters, digits, symbols)
        </label>
      </div>
      <KeyList filter={filter.trim().toLowerCase()} />
    </Dialog>
  )
}

function KeyList({ filter }: { filter: string }) {
  const commands = useListedCommands()
  const changed = useChangedKeys()
  const [editedId, setEditedId] = useState<string | null>(null)
  const shown = [...commands.values()].filter(({ name }) => name.toLowerCase().includes(filter))
  const headingOf = (command: ListedCommand) =>
    keysOf(command, changed).length === 0 && changed[command.id] === undefined
      ? WITHOUT_KEY
      : (command.scopes.toSorted((a, b) => rankOf(a) - rankOf(b))[0] ?? WITHOUT_KEY)
  const groups = [...Map.groupBy(shown, headingOf)].sort(([a], [b]) => rankOf(a) - rankOf(b))
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: Safari scrolls only what has the focus.
      tabIndex={0}
      aria-label="List of shortcuts"
      className="min-h-0 gap-8 overflow-y-auto sm:columns-2"
    >
      {groups.map(([heading, members]) => (
        <section key={heading} className="mb-4">
          <h3 className="mb-1 font-semibold text-muted text-xs">{heading}</h3>
          <dl>
            {members.map((command) => (
              <KeyRow
                key={command.id}
                command={command}
                all={commands}
                isEdited={command.id === editedId}
                onEdit={() => setEditedId(command.id)}
                onEnd={() => setEditedId(null)}
              />
            ))}
          </dl>
        </section>
      ))}
      {groups.length === 0 && <p className="text-muted text-sm">No command matches.</p>}
    </section>
  )
}

const WITHOUT_KEY = 'Without a shortcut'

/** Order of the headings, from general to specific. */
const ORDER = [
  'Anywhere',
  'View',
  'Boards',
  'Images',
  'Properties',
  'Image viewer',
  'Comparison',
  'Trash',
  'Queue',
  'History',
  WITHOUT_KEY,
]

const rankOf = (heading: string): number => ORDER.indexOf(heading)
