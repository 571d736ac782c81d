import { Popover as BasePopover } from '@base-ui/react/popover'
import { type ReactElement, type ReactNode, useState } from 'react'
import { useBackCloses } from '#gallery/ui/keys/back.ts'
import { useIsPhone } from './use-media.ts'

interface PopoverProps {
  /** What it holds, for people who cannot see it. */
  label: string
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>
  children: ReactNode
}

/** Controls that have no room on the page, one press away. */
export function Popover({ label, trigger, children }: PopoverProps) {
  const [isOpen, setOpen] = useState(false)
  useBackCloses(useIsPhone() && isOpen, () => setOpen(false))
  return (
    <BasePopover.Root open={isOpen} onOpenChange={setOpen}>
      <BasePopover.Trigger render={trigger} />
      <BasePopover.Portal>
        <BasePopover.Positioner className="z-50" sideOffset={4} align="end">
          <BasePopover.Popup
            aria-label={label}
            className="rounded-lg border border-line bg-raised p-2 shadow-floating outline-none"
          >
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  )
}
