import { Upload } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { UploadTarget } from '#gallery/api/uploads/upload.ts'
import { isTyping } from '#gallery/ui/keys/keys.ts'
import { showToast } from '#gallery/ui/toasts/toast.tsx'
import { addFiles } from '#gallery/uploads/add-files.ts'
import { foundFiles, namePasted } from './chosen-files.ts'
import {
  endOwnDrag,
  isOwnDrag as isOwnDragNow,
  type NewBoards,
  newBoardsAt,
  startOwnDrag,
  useFileDrop,
  useInnerLabel,
  useIsOwnDrag,
} from './use-file-drop.ts'

interface PageDropZoneProps {
  /** Destination of files dropped or pasted anywhere on the page: `uploadTargetOf` the open place. */
  target: UploadTarget
  children: ReactNode
}

/** Uploads files dropped anywhere on the page, except on an inner zone (`FileDropZone`), and pasted images. */
export function PageDropZone({ target, children }: PageDropZoneProps) {
  const [boards, setBoards] = useState<NewBoards | null>(null)
  const { getRootProps, isDragActive } = useFileDrop(target, {
    onOver: (over) => {
      const next = newBoardsAt(over)
      setBoards((before) => (before?.group === next?.group ? before : next))
    },
  })
  const innerLabel = useInnerLabel()
  const isOwnDrag = useIsOwnDrag()
  usePaste(target)

  useEffect(() => {
    document.addEventListener('dragstart', startOwnDrag)
    document.addEventListener('dragend', endOwnDrag)
    return () => {
      document.removeEventListener('dragstart', startOwnDrag)
      document.removeEventListener('dragend', endOwnDrag)
    }
  }, [])
  useEffect(clearCancelledDrags, [])
  useEffect(explainDroppedAddresses, [])

  const label = innerLabel ?? (isDragActive ? target.label : null)
  const isOverBoards = innerLabel === null && isDragActive && boards !== null
  return (
    <div {...getRootProps({ className: 'h-full' })}>
      {children}
      {label !== null &&
        !isOwnDrag &&
        (isOverBoards ? (
          <NewBoardOverlay boards={boards} />
        ) : (
          <DropOverlay isFramed={innerLabel === null}>
            Drop to upload to <bdi>{label}</bdi>
          </DropOverlay>
        ))}
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

/** Explains why nothing happens when another site offers the address of a picture instead of the file. */
function explainDroppedAddresses(): () => void {
  const explain = ({ dataTransfer, target }: DragEvent) => {
    const { types = [] } = dataTransfer ?? {}
    const isAddress = types.includes('text/uri-list') && !types.includes('Files')
    if (!isAddress || isOwnDragNow() || isTyping(target)) return
    showToast({ title: 'The other page gave only an address. Copy the picture and paste it here.' })
  }
  // In the capture phase, because the zone of a board stops the event.
  document.addEventListener('drop', explain, true)
  return () => document.removeEventListener('drop', explain, true)
}

/** Uploads images pasted anywhere on the page. Text pasted into a field is not affected. */
function usePaste(target: UploadTarget): void {
  const { uploads } = useGallery()
  const { boardId, label } = target
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const data = event.clipboardData
      if (event.defaultPrevented || !data || data.files.length === 0) return
      // Office programs add an image of the text to the clipboard.
      if (isTyping(event.target) && data.types.includes('text/plain')) return
      event.preventDefault()
      const now = new Date()
      const files = Array.from(data.files, (file) => namePasted(file, now))
      void addFiles(uploads, foundFiles(files), { boardId, label })
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [uploads, boardId, label])
}

interface DropOverlayProps {
  /** True if the whole page is the drop target. An inner zone has its own highlight. */
  isFramed: boolean
  children: ReactNode
}

/** Shows the destination of files dragged over the page. It does not intercept pointer events. */
function DropOverlay({ isFramed, children }: DropOverlayProps) {
  return (
    <div
      className={`pointer-events-none fixed inset-2 z-50 flex items-center justify-center rounded-lg ${isFramed ? frame : ''}`}
    >
      <p className="mx-4 flex min-w-0 items-center gap-3 rounded-full bg-accent px-6 py-3 font-semibold text-accent-ink text-lg shadow-floating">
        <Upload aria-hidden size={20} strokeWidth={2} className="shrink-0" />
        <span className="truncate">{children}</span>
      </p>
    </div>
  )
}

const frame = 'border-2 border-accent bg-accent-soft/45'

/** Shows that a folder becomes a board here. Only after the drop does the browser tell folders from files. */
function NewBoardOverlay({ boards: { element, group } }: { boards: NewBoards }) {
  const { left, top, width, height } = element.getBoundingClientRect()
  return (
    <>
      <div
        className={`pointer-events-none fixed z-50 rounded-lg ${frame}`}
        style={{ left, top, width, height }}
      />
      <DropOverlay isFramed={false}>
        Drop a folder to create a board{' '}
        {group !== '' && (
          <>
            in <bdi>{group}</bdi>
          </>
        )}
      </DropOverlay>
    </>
  )
}
