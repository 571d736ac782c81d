import { useMemo, useState } from 'react'
import type { Command } from '#gallery/ui/commands/command.ts'
import { reachableCommands, useCommands } from '#gallery/ui/commands/registry.ts'

export interface PaletteContent {
  /** The commands that were reachable when the palette opened. */
  readonly commands: readonly Command[]
  /** The element with the focus at that time, which some commands need. */
  readonly focused: Element | null
}

/** Opens the command palette by its key, over the page or the viewer. */
export function usePalette() {
  const [content, setContent] = useState<PaletteContent | null>(null)
  const actions = useMemo(
    () => ({
      open: () => {
        setContent({ commands: reachableCommands(), focused: document.activeElement })
      },
      close: () => setContent(null),
    }),
    [],
  )
  useCommands(
    'Anywhere',
    [
      {
        id: 'palette',
        isKeyOnly: true,
        keys: '$mod+k',
        label: 'Command palette',
        run: actions.open,
      },
    ],
    {
      within: () =>
        document.querySelector('[aria-label="Image viewer"]') ?? document.querySelector('main'),
    },
  )
  return { content, ...actions }
}
