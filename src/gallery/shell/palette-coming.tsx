import { clearField, setTyped, usePaletteField } from '#gallery/ui/popups/palette-field.ts'

interface PaletteComingProps {
  onClose: () => void
  /** True: a dialog loads, which is in the middle of the window. */
  isDialog?: boolean
}

/** The field of a palette or dialog while it loads, so that no letter is lost or runs a command. */
export function PaletteComing({ onClose, isDialog = false }: PaletteComingProps) {
  const { typed, isEntered, focusedBefore } = usePaletteField()
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
      className={`fixed inset-x-4 z-50 mx-auto rounded-lg border border-line bg-raised shadow-floating ${isDialog ? 'top-1/2 max-w-[28rem] -translate-y-1/2' : 'top-4 max-w-[32rem] wide:top-24'}`}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the user just opened the palette.
        autoFocus
        aria-label="Loading"
        value={typed}
        readOnly={isEntered}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onFocus={({ relatedTarget }) =>
          relatedTarget instanceof HTMLElement &&
          usePaletteField.setState({ focusedBefore: relatedTarget })
        }
        onKeyDown={({ key, nativeEvent }) => {
          if (key === 'Escape') close()
          // An input method confirms its text by Enter.
          if (key === 'Enter' && !nativeEvent.isComposing)
            usePaletteField.setState({ isEntered: true })
        }}
        className="h-12 w-full bg-transparent px-4 text-lg outline-none"
      />
    </div>
  )
}
