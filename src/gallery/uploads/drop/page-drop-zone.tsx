import { Upload } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { isTyping } from '#gallery/ui/keys/keys.ts'
import type { UploadTarget } from '#gallery/uploads/upload.ts'
import { addFiles } from '#gallery/uploads/upload-actions.ts'
import { foundFiles, namePasted } from './chosen-files.ts'
import {
  endOwnDrag,
  startOwnDrag,
  useFileDrop,
  useInnerLabel,
  useIsOwnDrag,
} from './use-file-drop.ts'

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
    document.addEventListener('dragstart', startOwnDrag)
    document.addEventListener('dragend', endOwnDrag)
    return () => {
      document.removeEventListener('dragstart', startOwnDrag)
      document.removeEventListener('dragend', endOwnDrag)
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

/** Uploads pictures that are pasted anywhere on the page. Text that is pasted into a field stays text. */
function usePaste(target: UploadTarget): void {
  const { boardId, label } = target
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const data = event.clipboardData
      if (event.defaultPrevented || !data || data.files.length === 0) return
      // An office program puts a picture of the text beside the text.
      if (isTyping(event.target) && data.types.includes('text/plain')) return
      event.preventDefault()
      const now = new Date()
      const files = Array.from(data.files, (file) => namePasted(file, now))
      addFiles(foundFiles(files), { boardId, label })
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [boardId, label])
}

interface DropOverlayProps {
  /** Where the files would go. */
  label: string
  /** Files are over a zone inside the page, which lights up by itself. */
  isInner: boolean
}

/** Says where files would go that are held over the page. It is never in the way of what lies below. */
function DropOverlay({ label, isInner }: DropOverlayProps) {
  const frame = isInner ? '' : 'border-2 border-accent bg-accent-soft/45'
  return (
    <div
      className={`pointer-events-none fixed inset-2 z-50 flex items-center justify-center rounded-lg ${frame}`}
    >
      <p className="mx-4 flex min-w-0 items-center gap-3 rounded-full bg-accent px-6 py-3 font-semibold text-accent-ink text-lg shadow-floating">
        <Upload aria-hidden size={20} strokeWidth={2} className="shrink-0" />
        <span className="truncate">
          Drop to upload to <bdi>{label}</bdi>
        </span>
      </p>
    </div>
  )
}
