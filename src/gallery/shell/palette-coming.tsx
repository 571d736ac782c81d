import { useEffect, useEffectEvent } from 'react'
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

/**
 * Stands for a dialog while it loads, so that keys run no commands of the page. It takes no focus: the dialog returns the
 * focus to the element that has it now. Shows a text if loading takes longer.
 */
export function DialogComing({ onClose }: { onClose: () => void }) {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    const listening = new AbortController()
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // Escape also clears the selection of the page.
      event.stopPropagation()
      close()
    }
    window.addEventListener('keydown', onKey, { capture: true, signal: listening.signal })
    return () => listening.abort()
  }, [])
  return (
    <div
      role="dialog"
      aria-label="Loading"
      aria-busy
      className="fixed top-1/2 left-1/2 z-50 -translate-x-1/2 -translate-y-1/2 rounded-lg border border-line bg-raised px-5 py-3 text-muted shadow-floating transition-opacity delay-300 starting:opacity-0"
    >
      Loading…
    </div>
  )
}
