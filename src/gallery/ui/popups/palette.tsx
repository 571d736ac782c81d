import { Command as Cmdk } from 'cmdk'
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { Modal } from './dialog.tsx'
import { clearField, focusedBefore, setTyped, usePaletteField, useTyped } from './palette-field.ts'

interface PaletteProps {
  /** The accessible name. */
  label: string
  placeholder: string
  /** The value of the first choice. It is selected whenever the user types, because Enter chooses it. */
  first: string
  onClose: () => void
  /** Returns false if closing the palette leaves the focus where it is. */
  returnsFocus?: () => boolean
  /** A message between the field and the choices. */
  note?: ReactNode
  /** True: on a phone it is a sheet at the bottom of the screen. */
  isSheet?: boolean
  /** Controls below the choices. */
  footer?: ReactNode
  children: ReactNode
}

/** The value of the first choice. */
const FirstChoice = createContext('')

/** A dialog with a text field and the choices that match it. Arrow keys move, Enter chooses, Esc closes. */
export function Palette(props: PaletteProps) {
  const { label, placeholder, first, onClose, returnsFocus = () => true, isSheet } = props
  const typed = useTyped()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => clearField, [])
  const [selected, setSelected] = useState(first)
  const [shown, setShown] = useState({ typed, first })
  if (shown.typed !== typed || shown.first !== first) {
    setShown({ typed, first })
    setSelected(first)
  }
  return (
    <Modal
      aria-label={label}
      onClose={onClose}
      // Base UI waits for the next frame. A letter that is typed before it would be lost.
      initialFocus={() => {
        field.current?.focus()
        return false
      }}
      finalFocus={() => returnsFocus() && (focusedBefore() ?? true)}
      hasOwnBackdrop
      className={`fixed inset-x-4 top-4 z-50 mx-auto flex max-h-[min(30rem,calc(100dvh-2rem))] max-w-[32rem] flex-col overflow-hidden rounded-lg border border-line bg-raised shadow-floating outline-none wide:top-24 wide:max-h-[min(30rem,calc(100dvh-7rem))] ${isSheet ? 'sheet:inset-x-0 sheet:top-auto sheet:bottom-0 sheet:max-w-none sheet:rounded-b-none' : ''}`}
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
          ref={field}
          value={typed}
          onValueChange={setTyped}
          placeholder={placeholder}
          className="h-12 shrink-0 border-line border-b bg-transparent px-4 text-lg outline-none placeholder:text-muted"
        />
        {props.note}
        <Cmdk.List className="min-h-0 scroll-py-2 overflow-y-auto p-2 outline-none">
          <FirstChoice value={first}>{props.children}</FirstChoice>
        </Cmdk.List>
        {props.footer}
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
  usePickEntered(props)
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

/** Picks the first choice if the user has pressed Enter while the palette loaded. */
function usePickEntered({ value, isDisabled = false, onPick }: PaletteChoiceProps): void {
  const isEntered = usePaletteField((field) => field.isEntered)
  const isWanted = useContext(FirstChoice) === value && isEntered && !isDisabled
  const pick = useEffectEvent(onPick)
  useEffect(() => {
    if (!isWanted) return
    usePaletteField.setState({ isEntered: false })
    // React cannot close the palette during an effect.
    queueMicrotask(() => pick())
  }, [isWanted])
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
