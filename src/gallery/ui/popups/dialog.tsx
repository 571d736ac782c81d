import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { Popover as BasePopover } from '@base-ui/react/popover'
import { type ComponentProps, type ReactElement, type ReactNode, useState } from 'react'
import { useBackCloses } from '#gallery/ui/keys/back.ts'
import { useIsPhone } from '#gallery/ui/use-media.ts'
import { focusedBefore } from './palette-field.ts'

type ModalProps = Omit<ComponentProps<typeof BaseDialog.Popup>, 'className'> & {
  className: string
  isOpen?: boolean
  onClose: () => void
  /** Dims the page although another dialog already does. */
  hasOwnBackdrop?: boolean
}

/** A modal popup over the page. Esc, Back and a click outside close it. */
export function Modal({ isOpen = true, onClose, hasOwnBackdrop = false, ...popup }: ModalProps) {
  useBackCloses(isOpen, onClose)
  return (
    <BaseDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop forceRender={hasOwnBackdrop} className="fixed inset-0 z-40 bg-scrim" />
        <BaseDialog.Popup {...popup} />
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

interface DialogProps {
  title: string
  description?: ReactNode
  isOpen: boolean
  onClose: () => void
  children?: ReactNode
  /** The buttons, the safe one first. */
  actions?: ReactNode
  /** Widens the dialog for forms. */
  isWide?: boolean
}

/** A modal question or short form. */
export function Dialog(props: DialogProps) {
  const { title, description, isOpen, onClose, children, actions, isWide = false } = props
  const [before] = useState(focusedBefore)
  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      // The field that was shown while the dialog loaded had the focus last.
      {...(before && { finalFocus: () => !before.isConnected || before })}
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
    </Modal>
  )
}

interface PopoverProps {
  /** The accessible name. */
  label: string
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>
  children: ReactNode
}

/** A popup with controls that do not fit on the page. On a phone it is a sheet at the bottom of the screen. */
export function Popover({ label, trigger, children }: PopoverProps) {
  const [isOpen, setOpen] = useState(false)
  useBackCloses(useIsPhone() && isOpen, () => setOpen(false))
  return (
    <BasePopover.Root open={isOpen} onOpenChange={setOpen}>
      <BasePopover.Trigger render={trigger} />
      <BasePopover.Portal>
        <BasePopover.Backdrop className="fixed inset-0 z-50 hidden bg-scrim sheet:block" />
        <BasePopover.Positioner
          className="z-50 sheet:fixed! sheet:inset-x-0! sheet:top-auto! sheet:bottom-0! sheet:transform-none!"
          sideOffset={4}
          align="end"
        >
          <BasePopover.Popup
            aria-label={label}
            className="max-h-(--available-height) overflow-y-auto rounded-lg border border-line bg-raised p-2 shadow-floating outline-none sheet:max-h-[80dvh] sheet:rounded-b-none sheet:border-x-0 sheet:border-b-0 sheet:pb-[max(0.5rem,env(safe-area-inset-bottom))]"
          >
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  )
}
