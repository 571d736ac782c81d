import { X } from 'lucide-react'
import { createElement } from 'react'
import { Toaster as SonnerToaster, toast } from 'sonner'
import { IconButton } from './button.tsx'

/** How long a toast stands that offers Undo or Retry, in milliseconds. */
export const ACTION_TOAST_MS = 10_000

const PLAIN_TOAST_MS = 5_000

export interface Toast {
  title: string
  description?: string | undefined
  tone?: 'plain' | 'danger'
  /** What can be done about it. The toast goes when it is pressed. */
  action?: { label: string; run: () => void }
  /** Takes the place of the toast of the same id. */
  id?: string
  /** `Infinity`: until it is closed. */
  durationMs?: number
}

/** Says something in passing. Returns what takes it away again. */
export function showToast({ id, durationMs, ...content }: Toast): () => void {
  const duration = durationMs ?? (content.action ? ACTION_TOAST_MS : PLAIN_TOAST_MS)
  const shown = toast.custom(
    (toastId) => createElement(ToastCard, { ...content, onClose: () => toast.dismiss(toastId) }),
    { duration, ...(id !== undefined && { id }) },
  )
  return () => toast.dismiss(shown)
}

type ToastCardProps = Pick<Toast, 'title' | 'description' | 'tone' | 'action'> & {
  onClose: () => void
}

/** How a toast looks. It is read aloud by the list that it stands in: a live region of its own would say it twice. */
function ToastCard({ title, description, tone, action, onClose }: ToastCardProps) {
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

const WIDTH = 'min(26rem, calc(100vw - var(--free-left, 0px) - var(--free-right, 0px) - 1.5rem))'

/** Toasts, above the selection bar, in the middle of the part of the page that neither panels nor cards cover. */
export function Toaster() {
  return (
    <SonnerToaster
      position="bottom-center"
      gap={8}
      visibleToasts={3}
      expand
      className="sm:left-[calc((100vw+var(--free-left,0px)-var(--free-right,0px))/2)]!"
      offset={{ bottom: 'calc(72px + var(--foot, 0px))' }}
      mobileOffset={{ bottom: 'calc(72px + var(--foot, 0px))', left: 12, right: 12 }}
      containerAriaLabel="Messages"
      // Over the lightbox and the drawer, under dialogs and menus.
      style={{ '--width': WIDTH, zIndex: 45 } as React.CSSProperties}
      toastOptions={{ unstyled: true, className: 'w-full' }}
    />
  )
}
