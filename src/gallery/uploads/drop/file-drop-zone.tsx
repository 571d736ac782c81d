import { type ReactNode, useEffect } from 'react'
import { enterInnerZone, leaveInnerZone, useFileDrop, useIsOwnDrag } from './use-file-drop.ts'

interface FileDropZoneProps {
  /** null for uncategorized. */
  boardId: string | null
  label: string
  children: ReactNode
}

/** A drop zone inside the page, such as a board's row. It is highlighted instead of the page. */
export function FileDropZone({ boardId, label, children }: FileDropZoneProps) {
  const { getRootProps, isDragActive } = useFileDrop({ boardId, label }, { isInner: true })
  const isOwnDrag = useIsOwnDrag()
  const isLit = isDragActive && !isOwnDrag

  useEffect(() => {
    if (!isLit) return
    enterInnerZone(label)
    return () => leaveInnerZone(label)
  }, [isLit, label])

  const className = isLit ? 'rounded outline-2 outline-accent bg-accent-soft' : ''
  return <div {...getRootProps({ className })}>{children}</div>
}
