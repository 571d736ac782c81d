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

  const label = innerLabel ?? (isDragActive ? target.label : null)
  return (
    <div {...getRootProps({ className: 'h-full' })}>
      {children}
      {label !== null && !isOwnDrag && <DropOverlay label={label} isInner={innerLabel !== null} />}
    </div>
  )
}
