import { type ReactNode, useEffect } from 'react'
import { enterInnerZone, leaveInnerZone, useFileDrop, useIsOwnDrag } from './use-file-drop.ts'

interface FileDropZoneProps {
  /** `null`: on no board. */
  boardId: string | null
  /** What the board is called. */
  label: string
  children: ReactNode
}

/**
 * A place inside the page that takes the files dropped on it: a board's row, the Assets tab. It lights
 * up while files are held over it, and the page does not.
 *
 * In app.tsx it is handed to the boards feature, which wraps each row in it.
 */
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
