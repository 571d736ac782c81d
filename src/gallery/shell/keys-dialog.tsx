import { Button } from '#gallery/ui/button.tsx'
import { Dialog } from '#gallery/ui/dialog.tsx'
import { keyNames } from '#gallery/ui/keys/key-names.ts'
import { setSingleKeys, useKeyScopes, useSingleKeys } from '#gallery/ui/keys/keys.ts'

/** The list of keyboard shortcuts, from the registry that handles them. */
export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const scopes = useKeyScopes()
  const singleKeys = useSingleKeys()
  return (
    <Dialog
      title="Keyboard shortcuts"
      isWide
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <Button tone="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <label className="flex min-h-9 items-center gap-3 text-sm pointer-coarse:min-h-11">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={singleKeys}
          onChange={({ target }) => setSingleKeys(target.checked)}
        />
        Single-key shortcuts (letters, digits, symbols)
      </label>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: Safari scrolls only what has the focus.
        tabIndex={0}
        aria-label="List of shortcuts"
        className="min-h-0 gap-8 overflow-y-auto sm:columns-2"
      >
        {[...scopes]
          .toSorted(([a], [b]) => rankOf(a) - rankOf(b))
          .map(([scope, bindings]) => (
            <section key={scope} className="mb-4">
              <h3 className="mb-1 font-semibold text-muted text-xs">{scope}</h3>
              <dl>
                {bindings.map(({ keys, label }) => (
                  <div
                    key={label}
                    className="flex min-h-8 break-inside-avoid items-center justify-between gap-4"
                  >
                    <dt className="text-sm">{label}</dt>
                    <dd className="flex shrink-0 gap-2">
                      {[keys].flat().map((key) => (
                        <Keys key={key} keys={key} />
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
      </section>
    </Dialog>
  )
}

function Keys({ keys }: { keys: string }) {
  return (
    <span className="flex gap-1">
      {keyNames(keys).map((name) => (
        <kbd
          key={name}
          className="inline-flex h-6 min-w-6 items-center justify-center rounded-sm whitespace-nowrap border border-line bg-sunken px-1.5 font-sans text-xs"
        >
          {name}
        </kbd>
      ))}
    </span>
  )
}

/** Order of the scopes, from general to specific. Other scopes come last. */
const ORDER = ['Anywhere', 'Boards', 'Images', 'Image viewer']

const rankOf = (scope: string): number =>
  ORDER.includes(scope) ? ORDER.indexOf(scope) : ORDER.length
