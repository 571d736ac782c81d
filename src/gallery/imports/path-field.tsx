import { type ChangeEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { inputClasses } from '#gallery/ui/input-classes.ts'
import { pathFromPaste } from './pasted-path.ts'

interface PathFieldProps {
  /** The folder that is open; empty while that is not known. */
  path: string
  onOpen: (path: string) => void
}

/** The path of the folder, to be pasted or typed: Enter, or leaving the field, opens it below. A pasted one opens at once. */
export function PathField({ path, onOpen }: PathFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)

  // What is typed or pasted next takes the place of a path that came while the focus was here.
  useLayoutEffect(() => {
    if (path !== '' && document.activeElement === field.current) field.current?.select()
  }, [path])

  const open = (text: string | null) => {
    setTyped(null)
    const next = pathFromPaste(text ?? '')
    if (next !== '') onOpen(next)
  }
  const change = ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    const isPaste = 'inputType' in nativeEvent && nativeEvent.inputType === 'insertFromPaste'
    if (isPaste) open(target.value)
    else setTyped(target.value)
  }
  const openOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || typed === null) return
    // What was typed is looked at first; Enter once more starts.
    event.preventDefault()
    open(typed)
  }
  return (
    <label className="block">
      <span className="mb-1 block font-medium text-sm">Folder</span>
      <input
        ref={field}
        value={typed ?? path}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        placeholder="/home/you/Pictures"
        onChange={change}
        onKeyDown={openOnEnter}
        onBlur={() => open(typed)}
        className={inputClasses}
      />
    </label>
  )
}
