import { Upload } from 'lucide-react'

interface DropOverlayProps {
  /** Where the files would go. */
  label: string
  /** Files are over a zone inside the page, which lights up by itself. */
  isInner: boolean
}

/** Says where files would go that are held over the page. It is never in the way of what lies below. */
export function DropOverlay({ label, isInner }: DropOverlayProps) {
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
