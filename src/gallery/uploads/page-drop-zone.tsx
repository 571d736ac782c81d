import { type ReactNode, useEffect } from 'react'
import { DropOverlay } from './drop-overlay.tsx'
import { ownDragEnded, ownDragStarted, useInnerLabel, useIsOwnDrag } from './drop-store.ts'
import type { UploadTarget } from './upload.ts'
import { useFileDrop } from './use-file-drop.ts'
import { usePaste } from './use-paste.ts'

interface PageDropZoneProps {
  /** Where files go that are dropped or pasted anywhere: `uploadTargetOf` the open place. */
  target: UploadTarget
  children: ReactNode
}

/**
 * Takes files that are dropped anywhere on the page, and pictures that are pasted.
 *
 * In app.tsx it stands around everything that is drawn, once. Zones inside it, such as a board's row
 * (`FileDropZone`), take what is dropped on them.
 */
export function PageDropZone({ target, children }: PageDropZoneProps) {
  const { getRootProps, isDragActive } = useFileDrop(target)
  const innerLabel = useInnerLabel()
  const isOwnDrag = useIsOwnDrag()
  usePaste(target)

  useEffect(() => {
    document.addEventListener('dragstart', ownDragStarted)
    document.addEventListener('dragend', ownDragEnded)
    return () => {
      document.removeEventListener('dragstart', ownDragStarted)
      document.removeEventListener('dragend', ownDragEnded)
    }
  }, [])
  useEffect(clearCancelledDrags, [])

  const label = innerLabel ?? (isDragActive ? target.label : null)
  return (
    <div {...getRootProps({ className: 'h-full' })}>
      {children}
      {label !== null && !isOwnDrag && <DropOverlay label={label} isInner={innerLabel !== null} />}
    </div>
  )
}

/**
 * A drag of files that is cancelled may end without an event for the page, and the zones would stay lit. The
 * pointer does not move on the page during such a drag, so its next move shows that the drag is over.
 */
function clearCancelledDrags(): () => void {
  let heldOver: EventTarget | null = null
  const enter = ({ target }: DragEvent) => {
    heldOver = target
  }
  const leave = ({ target }: DragEvent) => {
    if (target === heldOver) heldOver = null
  }
  const end = () => {
    heldOver = null
  }
  const clear = () => heldOver?.dispatchEvent(new DragEvent('dragleave', { bubbles: true }))
  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  document.addEventListener('dragenter', enter, options)
  document.addEventListener('dragleave', leave, options)
  document.addEventListener('drop', end, options)
  document.addEventListener('dragend', end, options)
  document.addEventListener('pointermove', clear, options)
  return () => listening.abort()
}
