import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { useBackCloses } from '#gallery/ui/keys/back.ts'

interface DialogProps {
  title: string
  description?: ReactNode
  isOpen: boolean
  onClose: () => void
  children?: ReactNode
  /** The buttons, the safe one first. */
  actions?: ReactNode
  /** For more than a question. */
  isWide?: boolean
}

/** A question or a short form over the page. Esc, Back and a click outside close it. */
export function Dialog({
  title,
  description,
  isOpen,
  onClose,
  children,
  actions,
  isWide = false,
}: DialogProps) {
  useBackCloses(isOpen, onClose)
  return (
    <BaseDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <BaseDialog.Popup
          className={`fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] ${isWide ? 'max-w-[52rem]' : 'max-w-[28rem]'} -translate-x-1/2 -translate-y-1/2 flex-col gap-3 overflow-auto rounded-lg border border-line bg-raised p-5 shadow-floating outline-none`}
        >
          <BaseDialog.Title className="font-semibold text-lg">{title}</BaseDialog.Title>
          {description !== undefined && (
            <BaseDialog.Description className="text-muted">{description}</BaseDialog.Description>
          )}
          {children}
          {actions !== undefined && (
            <div className="mt-2 flex flex-wrap justify-end gap-2">{actions}</div>
          )}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}
