import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ImageView } from '#gallery/api/image-windows.ts'
import { moveImages } from '#gallery/api/outbox.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { countOf } from '#gallery/ui/count.ts'
import { isDialogOpen, isTyping, useKeys } from '#gallery/ui/keys.ts'
import { showToast } from '#gallery/ui/toast.ts'
import { currentTargets } from './selected-images.ts'

/** What the system's clipboard says of images that were cut: which cut it was. */
const CUT_TYPE = 'application/x-tessera-cut'

/** The last cut. Its names are kept here: a clipboard must be filled at once, and names may have to be fetched. */
let lastCut: { id: string; names: Promise<readonly string[]> } | null = null

/** Listed only: the browser's own cut and paste act, so that whatever was copied last is what is pasted. */
const LISTED_KEYS = [
  { keys: '$mod+x', label: 'Cut, to move elsewhere', run: () => {} },
  { keys: '$mod+v', label: 'Move here what was cut', run: () => {} },
]

/** Images are cut on one board and pasted on another (product P9). Nothing moves before it is pasted. */
export function useCutAndPaste(view: ImageView, total: number): void {
  const client = useQueryClient()
  useKeys('Images', LISTED_KEYS, { isOn: false })
  useEffect(() => {
    const cut = (event: ClipboardEvent) => {
      const targets = isForImages(event) ? currentTargets(client, { view, total }) : null
      if (targets === null || event.clipboardData === null) return
      event.preventDefault()
      const id = String(Date.now())
      const names = targets.leavingNames()
      // Told when it is pasted.
      names.catch(() => {})
      lastCut = { id, names }
      event.clipboardData.setData(CUT_TYPE, id)
      event.clipboardData.setData('text/plain', countOf(targets.count, 'image'))
      showToast({
        id: CUT_TYPE,
        title: `${countOf(targets.count, 'image')} cut`,
        description: 'Open a board and paste to move there.',
      })
    }
    const paste = (event: ClipboardEvent) => {
      const id = event.clipboardData?.getData(CUT_TYPE)
      if (!isForImages(event) || lastCut === null || lastCut.id !== id) return
      event.preventDefault()
      void moveTo(view.boardId, lastCut.names)
    }
    document.addEventListener('cut', cut)
    document.addEventListener('paste', paste)
    return () => {
      document.removeEventListener('cut', cut)
      document.removeEventListener('paste', paste)
    }
  }, [client, view, total])
}

/** Whether nothing nearer wants it: a field, text that is selected, a dialog. */
const isForImages = (event: ClipboardEvent): boolean =>
  !event.defaultPrevented &&
  !isTyping(event.target) &&
  !isDialogOpen() &&
  (window.getSelection()?.isCollapsed ?? true)

async function moveTo(boardId: string | null, cutNames: Promise<readonly string[]>): Promise<void> {
  if (boardId === null) {
    showToast({ id: CUT_TYPE, title: 'Open a board first, then paste' })
    return
  }
  try {
    moveImages(await cutNames, boardId)
    lastCut = null
  } catch (error) {
    showToast({
      id: CUT_TYPE,
      tone: 'danger',
      title: 'The names of what was cut did not arrive. Cut again',
      description: reasonOf(error),
    })
  }
}
