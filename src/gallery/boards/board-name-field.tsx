import { type KeyboardEvent, useState } from 'react'
import { MAX_BOARD_NAME_LENGTH } from '#contract/limits.ts'

interface BoardNameFieldProps {
  label: string
  /** The initial text, which is selected. */
  name: string
  placeholder?: string
  onDone: (name: string) => void
  onCancel: () => void
}

/**
 * A text field for a board's name. Enter or a click elsewhere confirms, Esc cancels. For an empty name, Enter shows an
 * error, and leaving the field cancels.
 */
export function BoardNameField(props: BoardNameFieldProps) {
  const { label, name, placeholder = 'Name', onDone, onCancel } = props
  const [typed, setTyped] = useState(name)
  const [isRefused, setIsRefused] = useState(false)
  const trimmed = typed.trim()

  const onKeyDown = (event: KeyboardEvent) => {
    // Arrow keys, F2 and Delete must edit the text instead of acting on the list.
    event.stopPropagation()
    if (event.key === 'Escape') {
      event.preventDefault()
      onCancel()
    }
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (trimmed === '') setIsRefused(true)
    else onDone(trimmed)
  }

  return (
    <div className="relative flex h-full items-center">
      <input
        ref={selectWhenThere}
        aria-label={label}
        aria-invalid={isRefused}
        aria-describedby={isRefused ? 'board-name-hint' : undefined}
        placeholder={placeholder}
        value={typed}
        maxLength={MAX_BOARD_NAME_LENGTH}
        autoComplete="off"
        enterKeyHint="done"
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setIsRefused(false)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => (trimmed === '' ? onCancel() : onDone(trimmed))}
        className="h-8 w-full min-w-0 rounded border border-line bg-surface px-2 text-base focus-visible:-outline-offset-1 pointer-coarse:h-10"
      />
      {isRefused && (
        <p
          id="board-name-hint"
          role="alert"
          className="absolute top-full left-0 z-20 mt-1 rounded border border-line bg-raised px-2 py-1 text-danger text-xs shadow-raised"
        >
          A board needs a name.
        </p>
      )}
    </div>
  )
}

function selectWhenThere(input: HTMLInputElement | null): void {
  if (input === null || input === document.activeElement) return
  input.focus()
  input.select()
}
