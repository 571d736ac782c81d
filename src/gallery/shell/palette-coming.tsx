import { clearField, setTyped, usePaletteField } from '#gallery/ui/palette-field.ts'

/** The field of a palette while the palette loads, so that no letter is lost or runs a command. */
export function PaletteComing({ onClose }: { onClose: () => void }) {
  const { typed, focusedBefore } = usePaletteField()
  const close = () => {
    focusedBefore?.focus({ preventScroll: true })
    clearField()
    onClose()
  }
  return (
    <div
      role="dialog"
      aria-label="Loading"
      aria-busy
      className="fixed inset-x-4 top-4 z-50 mx-auto max-w-[32rem] rounded-lg border border-line bg-raised shadow-floating wide:top-24"
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the user just opened the palette.
        autoFocus
        aria-label="Loading"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onFocus={({ relatedTarget }) =>
          relatedTarget instanceof HTMLElement &&
          usePaletteField.setState({ focusedBefore: relatedTarget })
        }
        onKeyDown={({ key }) => key === 'Escape' && close()}
        className="h-12 w-full bg-transparent px-4 text-lg outline-none"
      />
    </div>
  )
}
