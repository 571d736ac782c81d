import { Command as Cmdk } from 'cmdk'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { Modal } from './dialog.tsx'

interface PaletteProps extends Pick<ComponentProps<typeof Modal>, 'finalFocus' | 'onClose'> {
  /** The accessible name. */
  label: string
  placeholder: string
  typed: string
  /** The value of the first choice. It is selected whenever the user types, because Enter chooses it. */
  first: string
  onType: (typed: string) => void
  /** A message between the field and the choices. */
  note?: ReactNode
  /** True: on a phone it is a sheet at the bottom of the screen. */
  isSheet?: boolean
  /** Controls below the choices. */
  footer?: ReactNode
  children: ReactNode
}

/** A dialog with a text field and the choices that match it. Arrow keys move, Enter chooses, Esc closes. */
export function Palette(props: PaletteProps) {
  const { label, placeholder, typed, first, onType, note, footer, isSheet, children, ...modal } =
    props
  const [selected, setSelected] = useState(first)
  const [shown, setShown] = useState({ typed, first })
  if (shown.typed !== typed || shown.first !== first) {
    setShown({ typed, first })
    setSelected(first)
  }
  return (
    <Modal
      {...modal}
      aria-label={label}
      hasOwnBackdrop
      className={`fixed inset-x-4 top-4 z-50 mx-auto flex max-h-[min(30rem,calc(100dvh-2rem))] max-w-[32rem] flex-col overflow-hidden rounded-lg border border-line bg-raised shadow-floating outline-none sm:top-24 ${isSheet ? 'sheet:inset-x-0 sheet:top-auto sheet:bottom-0 sheet:max-w-none sheet:rounded-b-none' : ''}`}
    >
      <Cmdk
        label={label}
        value={selected}
        onValueChange={setSelected}
        shouldFilter={false}
        loop
        className="flex min-h-0 flex-col"
      >
        <Cmdk.Input
          value={typed}
          onValueChange={onType}
          placeholder={placeholder}
          className="h-12 shrink-0 border-line border-b bg-transparent px-4 text-lg outline-none placeholder:text-muted"
        />
        {note}
        <Cmdk.List className="min-h-0 scroll-py-2 overflow-y-auto p-2 outline-none">
          {children}
        </Cmdk.List>
        {footer}
      </Cmdk>
    </Modal>
  )
}

interface PaletteChoiceProps {
  value: string
  isDisabled?: boolean
  /** For choices that are switched on and off. */
  isChecked?: boolean
  onPick: () => void
  children: ReactNode
}

export function PaletteChoice(props: PaletteChoiceProps) {
  const { value, isDisabled = false, isChecked, onPick, children } = props
  return (
    <Cmdk.Item
      value={value}
      disabled={isDisabled}
      {...(isChecked !== undefined && { 'aria-checked': isChecked })}
      onSelect={onPick}
      className="flex min-h-10 cursor-pointer items-center gap-3 rounded px-2 aria-disabled:cursor-default aria-selected:bg-hover pointer-coarse:min-h-11"
    >
      {children}
    </Cmdk.Item>
  )
}

interface PaletteGroupProps {
  heading?: string | undefined
  children: ReactNode
}

export const PaletteGroup = ({ heading, children }: PaletteGroupProps) => (
  <Cmdk.Group
    heading={heading}
    className="**:[[cmdk-group-heading]]:px-2 **:[[cmdk-group-heading]]:pt-2 **:[[cmdk-group-heading]]:pb-1 **:[[cmdk-group-heading]]:font-medium **:[[cmdk-group-heading]]:text-muted **:[[cmdk-group-heading]]:text-xs"
  >
    {children}
  </Cmdk.Group>
)
