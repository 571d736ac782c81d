interface PaletteComingProps {
  typed: string
  onType: (typed: string) => void
  onClose: () => void
}

/** The field of the command palette while the palette loads, so that no letter is lost or runs a command. */
export function PaletteComing({ typed, onType, onClose }: PaletteComingProps) {
  return (
    <div
      role="dialog"
      aria-label="Command palette"
      aria-busy
      className="fixed inset-x-4 top-4 z-50 mx-auto max-w-[32rem] rounded-lg border border-line bg-raised shadow-floating sm:top-24"
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the user just opened the palette.
        autoFocus
        aria-label="Command palette"
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
        className="h-12 w-full bg-transparent px-4 text-lg outline-none"
      />
    </div>
  )
}
