import { useEffect, useMemo, useState } from 'react'
import type { Command } from '#gallery/ui/commands/command.ts'
import { reachableCommands, useCommands } from '#gallery/ui/commands/registry.ts'
import { focusedBefore } from '#gallery/ui/popups/palette-field.ts'

export interface PaletteContent {
  /** The commands that were reachable when the palette opened. */
  readonly commands: readonly Command[]
  /** The element with the focus at that time, which some commands need. */
  readonly focused: Element | null
}

/**
 * Opens the command palette by its key, over the page or the viewer.
 *
 * @param isReady - False while the rest of the page loads, which has most commands. The palette opens after it.
 * @returns The content of the open palette, and `isComing`: the palette waits, so the page shows its field.
 */
export function usePalette(isReady: boolean) {
  const [content, setContent] = useState<PaletteContent | null>(null)
  const [isComing, setIsComing] = useState(false)
  const actions = useMemo(
    () => ({
      open: () => {
        if (isReady) setContent(contentNow(document.activeElement))
        else setIsComing(true)
      },
      close: () => {
        setContent(null)
        setIsComing(false)
      },
    }),
    [isReady],
  )
  const isNext = isComing && isReady
  useEffect(() => {
    if (!isNext) return
    // The field that was shown meanwhile is gone; it would have covered the commands of the page.
    const timer = setTimeout(() => {
      setContent(contentNow(focusedBefore()))
      setIsComing(false)
    })
    return () => clearTimeout(timer)
  }, [isNext])
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
  return { content, isComing: isComing && !isReady, ...actions }
}

const contentNow = (focused: Element | null): PaletteContent => ({
  commands: reachableCommands(),
  focused,
})
