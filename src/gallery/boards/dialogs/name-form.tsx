import type { ComponentProps, ReactNode } from 'react'
import { TextField } from '#gallery/ui/text-field.tsx'

interface NameFormProps
  extends Pick<ComponentProps<typeof TextField>, 'value' | 'maxLength' | 'fault'> {
  /** The button that submits the form has this ID as its `form`. */
  id: string
  onType: (name: string) => void
  onSubmit: () => void
  /** Shown below the name. */
  children?: ReactNode
}

/** The form of a dialog that asks for a name. */
export const NameForm = ({ id, onType, onSubmit, children, ...field }: NameFormProps) => (
  <form
    id={id}
    noValidate
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    <TextField
      {...field}
      label="Name"
      dir="auto"
      autoComplete="off"
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => onType(event.currentTarget.value)}
    />
    {children}
  </form>
)
