import { type ComponentProps, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { clearField, usePaletteField } from '#gallery/ui/popups/palette-field.ts'
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

/** The form of a dialog that asks for a name. Its name begins with `typedOr`. */
export function NameForm({ id, onType, onSubmit, children, ...field }: NameFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    // After the dialog has read which element had the focus. It focuses the field only in the next frame, and a letter
    // that is typed before would be lost.
    queueMicrotask(() => {
      const { current } = input
      current?.focus()
      // The next letter follows those that were typed while the dialog loaded.
      if (usePaletteField.getState().typed !== '')
        current?.setSelectionRange(current.value.length, current.value.length)
    })
  }, [])
  useEffect(() => {
    if (usePaletteField.getState().isEntered) form.current?.requestSubmit()
    return clearField
  }, [])
  return (
    <form
      ref={form}
      id={id}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <TextField
        {...field}
        ref={input}
        label="Name"
        dir="auto"
        autoComplete="off"
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      {children}
    </form>
  )
}
