import { X } from 'lucide-react'
import { createElement, useEffect } from 'react'
import { Toaster, toast } from 'sonner'
import { IconButton } from '#gallery/ui/button.tsx'
import type { ShownToast, ToastList } from './waiting-toasts.ts'

const list: ToastList = {
  show: ({ id, durationMs, ...content }) => {
    toast.custom(() => createElement(ToastCard, { ...content, onClose: () => list.close(id) }), {
      id,
      duration: durationMs,
    })
  },
  close: (id) => {
    toast.dismiss(id)
  },
}

type ToastCardProps = Pick<ShownToast, 'title' | 'description' | 'tone' | 'action'> & {
  onClose: () => void
}

/** The content of a toast. The list around it is a live region; another live region here would announce it twice. */
function ToastCard({ title, description, tone, action, onClose }: ToastCardProps) {
  const colors = tone === 'danger' ? 'border-danger text-danger' : 'border-line text-ink'
  return (
    <div
      className={`flex w-full items-center gap-2 rounded-lg border bg-raised py-2 pr-2 pl-4 shadow-floating ${colors}`}
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

/** Above docked cards, or the controls of a video in the viewer. */
const BOTTOM = 'calc(72px + max(var(--foot, 0px), var(--player, 0px)))'

interface ToastsProps {
  /** Called with the list while it is shown, and with null afterwards. */
  onList: (list: ToastList | null) => void
}

/** The toasts, above the selection bar, centered in the part of the page that no panel or card covers. */
export function Toasts({ onList }: ToastsProps) {
  // After the effects of the toaster, which shows only toasts that come later.
  useEffect(() => {
    onList(list)
    return () => onList(null)
  }, [onList])
  return (
    <Toaster
      position="bottom-center"
      gap={8}
      visibleToasts={3}
      expand
      className="sm:left-[calc((100vw+var(--free-left,0px)-var(--free-right,0px))/2)]!"
      offset={{ bottom: BOTTOM }}
      mobileOffset={{ bottom: BOTTOM, left: 12, right: 12 }}
      containerAriaLabel="Messages"
      // Above the lightbox and the drawer, below dialogs and menus.
      style={{ '--width': WIDTH, zIndex: 45 } as React.CSSProperties}
      toastOptions={{ unstyled: true, className: 'w-full' }}
    />
  )
}
