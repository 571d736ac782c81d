import { X } from 'lucide-react'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import type { Toast } from './toast.ts'

type ToastCardProps = Pick<Toast, 'title' | 'description' | 'tone' | 'action'> & {
  onClose: () => void
}

/** How a toast looks. It is read aloud by the list that it stands in: a live region of its own would say it twice. */
export function ToastCard({ title, description, tone, action, onClose }: ToastCardProps) {
  const colours = tone === 'danger' ? 'border-danger text-danger' : 'border-line text-ink'
  return (
    <div
      className={`flex w-full items-center gap-2 rounded-lg border bg-raised py-2 pr-2 pl-4 shadow-floating ${colours}`}
    >
      <div className="min-w-0 flex-1">
        <p className="break-words font-medium text-sm">{title}</p>
        {description !== undefined && (
          <p className="whitespace-pre-line break-words text-muted text-sm">{description}</p>
        )}
      </div>
      {action !== undefined && (
        <button
          type="button"
          className="h-8 shrink-0 rounded px-3 font-semibold text-accent text-sm hover:bg-accent-soft pointer-coarse:h-11"
          onClick={() => {
            onClose()
            action.run()
          }}
        >
          {action.label}
        </button>
      )}
      <IconButton label="Dismiss" icon={X} onClick={onClose} />
    </div>
  )
}
