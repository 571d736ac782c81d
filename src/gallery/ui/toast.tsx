import { X } from 'lucide-react'
import { createElement } from 'react'
import { Toaster as SonnerToaster, toast } from 'sonner'
import { IconButton } from './button.tsx'

/** Duration of a toast with Undo or Retry, in milliseconds. */
export const ACTION_TOAST_MS = 10_000

const PLAIN_TOAST_MS = 5_000

export interface Toast {
  title: string
  description?: string | undefined
  tone?: 'plain' | 'danger'
  /** The toast closes when its action is pressed. */
  action?: { label: string; run: () => void }
  /** Replaces the toast with the same ID. */
  id?: string
  /** `Infinity` shows the toast until it is closed. */
  durationMs?: number
}

/** Shows a toast. Returns a function that closes it. */
export function showToast({ id, durationMs, ...content }: Toast): () => void {
  const duration = durationMs ?? (content.action ? ACTION_TOAST_MS : PLAIN_TOAST_MS)
  const shown = toast.custom(
    (toastId) => createElement(ToastCard, { ...content, onClose: () => toast.dismiss(toastId) }),
    { duration, ...(id !== undefined && { id }) },
  )
  return () => toast.dismiss(shown)
}

/** Shows that an action failed, and why. `retry` adds a button that tries it again. */
export function showFailure(
  title: string,
  reason: string,
  retry?: () => void,
  durationMs?: number,
): void {
  showToast({
    tone: 'danger',
    title,
    description: reason,
    ...(retry && { action: { label: 'Retry', run: retry } }),
    ...(durationMs !== undefined && { durationMs }),
  })
}

/** The toasts of user actions. An action has one toast at a time. */
export class ActionToasts {
  readonly #closing = new Map<object, () => void>()
  /** IDs of the toasts that show progress, which later toasts of the action replace. */
  readonly #ids = new WeakMap<object, string>()

  show(action: object, toast: Toast): void {
    const id = this.#ids.get(action)
    this.#closing.set(action, showToast({ ...toast, ...(id !== undefined && { id }) }))
  }

  /** Shows a toast that stays until it is replaced or closed. */
  showProgress(action: object, toast: Toast): void {
    if (!this.#ids.has(action)) this.#ids.set(action, `progress ${performance.now()}`)
    this.show(action, { ...toast, durationMs: Infinity })
  }

  close(action: object): void {
    this.#closing.get(action)?.()
    this.#closing.delete(action)
    this.#ids.delete(action)
  }
}

type ToastCardProps = Pick<Toast, 'title' | 'description' | 'tone' | 'action'> & {
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

/** The toasts, above the selection bar, centered in the part of the page that no panel or card covers. */
export function Toaster() {
  return (
    <SonnerToaster
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
