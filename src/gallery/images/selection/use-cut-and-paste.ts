import { useEffect } from 'react'
import { create } from 'zustand'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { Outbox } from '#gallery/api/outbox/outbox.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import type { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import { copyData } from '#gallery/ui/copy-text.ts'
import { isDialogOpen, isTyping } from '#gallery/ui/keys/keys.ts'
import { countOf } from '#gallery/ui/text/count.ts'
import { showToast } from '#gallery/ui/toasts/toast.tsx'
import { currentTargets, type Targets } from './selected-images.ts'

/** Clipboard type for the ID of a cut. */
const CUT_TYPE = 'application/x-tessera-cut'

/** The last cut. A clipboard event must be answered synchronously, but names may have to be fetched. */
const useLastCut = create<{ cut: { id: string; names: Promise<readonly string[]> } | null }>(
  () => ({ cut: null }),
)

/** Stores the targets of a cut until they are pasted on a board. Returns the data for the clipboard. */
function remember(targets: Targets): Record<string, string> {
  const id = String(Date.now())
  const names = targets.namesForRemoval()
  // Pasting reports the failure.
  names.catch(() => {})
  useLastCut.setState({ cut: { id, names } })
  const images = countOf(targets.count, targets.noun)
  showToast({
    id: CUT_TYPE,
    title: `${images} cut`,
    description: 'Open a board and paste to move there.',
  })
  return { [CUT_TYPE]: id, 'text/plain': images }
}

/** Cuts images from a menu. {@link useCut} handles the keys. */
export const cutImages = (targets: Targets): void => void copyData(remember(targets))

/** Returns true if {@link pasteCut} would move images. */
export const canPasteTo = (boardId: string | null): boolean =>
  boardId !== null && useLastCut.getState().cut !== null

export async function pasteCut(outbox: Outbox, boardId: string | null): Promise<void> {
  const { cut } = useLastCut.getState()
  if (cut !== null) await moveTo(outbox, boardId, cut.names)
}

/** Handles cut events: stores the targets until they are pasted on a board. */
export function useCut(grid: GridHandle, isOn: boolean): void {
  const api = useGallery()
  useEffect(() => {
    if (!isOn) return
    const cut = (event: ClipboardEvent) => {
      const targets = isForImages(event) ? currentTargets(api, grid.now) : null
      if (targets === null || event.clipboardData === null) return
      event.preventDefault()
      for (const [type, value] of Object.entries(remember(targets))) {
        event.clipboardData.setData(type, value)
      }
    }
    document.addEventListener('cut', cut)
    return () => document.removeEventListener('cut', cut)
  }, [api, grid, isOn])
}

/** Handles paste events: moves the images of the last cut to a board. `null` is a view of several boards. */
export function usePaste(boardId: string | null): void {
  const { outbox } = useGallery()
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const id = event.clipboardData?.getData(CUT_TYPE)
      const { cut } = useLastCut.getState()
      if (!isForImages(event) || cut === null || cut.id !== id) return
      event.preventDefault()
      void moveTo(outbox, boardId, cut.names)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [outbox, boardId])
}

/** Returns true if no text field, selected text or dialog handles the event. */
const isForImages = (event: ClipboardEvent): boolean =>
  !event.defaultPrevented &&
  !isTyping(event.target) &&
  !isDialogOpen() &&
  (window.getSelection()?.isCollapsed ?? true)

async function moveTo(
  outbox: Outbox,
  boardId: string | null,
  cutNames: Promise<readonly string[]>,
): Promise<void> {
  if (boardId === null) {
    showToast({ id: CUT_TYPE, title: 'Open a board first, then paste' })
    return
  }
  try {
    outbox.move(await cutNames, boardId)
    useLastCut.setState({ cut: null })
  } catch (error) {
    showToast({
      id: CUT_TYPE,
      tone: 'danger',
      title: 'Could not load the names of what was cut. Cut it again',
      description: reasonOf(error),
    })
  }
}
