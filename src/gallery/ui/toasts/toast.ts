import { createElement } from 'react'
import { toast } from 'sonner'
import { ToastCard } from './toast-card.tsx'

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
