import { Dialog } from '#gallery/ui/dialog.tsx'
import { keyNames } from '#gallery/ui/key-names.ts'
import { useKeyScopes } from '#gallery/ui/keys.ts'

/** The list of keys, from the registry that makes them act. */
export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const scopes = useKeyScopes()
  return (
    <Dialog title="Keyboard" isWide isOpen={isOpen} onClose={onClose}>
      <div className="gap-8 sm:columns-2">
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
                    <dd className="flex gap-2">
                      {[keys].flat().map((key) => (
                        <Keys key={key} keys={key} />
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
      </div>
    </Dialog>
  )
}

function Keys({ keys }: { keys: string }) {
  return (
    <span className="flex gap-1">
      {keyNames(keys).map((name) => (
        <kbd
          key={name}
          className="inline-flex h-6 min-w-6 items-center justify-center rounded-sm border border-line bg-sunken px-1.5 font-sans text-xs"
        >
          {name}
        </kbd>
      ))}
    </span>
  )
}

/** From general to particular; what is not named here comes last. */
const ORDER = ['Anywhere', 'Boards', 'Images']

const rankOf = (scope: string): number =>
  ORDER.includes(scope) ? ORDER.indexOf(scope) : ORDER.length
