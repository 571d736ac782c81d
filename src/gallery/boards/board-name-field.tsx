import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { MAX_BOARD_NAME_LENGTH } from '#contract/limits.ts'
import { isolated } from '#gallery/ui/text/names.ts'

interface BoardNameFieldProps {
  label: string
  /** The initial text, which is selected. A later name replaces it only if it was not edited. */
  name: string
  /** True if the board was deleted while the field was open. */
  isDeleted?: boolean
  placeholder?: string
  onDone: (name: string) => void
  onCancel: () => void
}

/**
 * A text field for a board's name. Enter or a click elsewhere confirms, Esc cancels. For an empty name, Enter shows an
 * error, and leaving the field cancels.
 */
export function BoardNameField(props: BoardNameFieldProps) {
  const { label, name, isDeleted = false, placeholder = 'Name', onDone, onCancel } = props
  const input = useRef<HTMLInputElement>(null)
  const [initial, setInitial] = useState(name)
  const [typed, setTyped] = useState(name)
  const [isRefused, setIsRefused] = useState(false)
  const trimmed = typed.trim()
  if (name !== initial && typed === initial) {
    setInitial(name)
    setTyped(name)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a name that another client gave is selected too
  useLayoutEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [initial])
  const isRenamed = name !== initial && trimmed !== name

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
        ref={input}
        aria-label={label}
        aria-invalid={isRefused}
        aria-describedby={isRefused || isDeleted || isRenamed ? 'board-name-hint' : undefined}
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
      {isRefused ? (
        <p id="board-name-hint" role="alert" className={`${hintClasses} text-danger`}>
          A board needs a name.
        </p>
      ) : isDeleted ? (
        <p id="board-name-hint" role="alert" className={hintClasses}>
          This board was deleted meanwhile.
        </p>
      ) : isRenamed ? (
        <p id="board-name-hint" role="status" className={hintClasses}>
          Renamed to “{isolated(name)}” meanwhile.
          <span className="pointer-coarse:hidden"> Enter replaces that name, Esc keeps it.</span>
          <span className="hidden pointer-coarse:inline"> Your text replaces that name.</span>
        </p>
      ) : null}
    </div>
  )
}

const hintClasses =
  'absolute inset-x-0 top-full z-20 mt-1 w-fit wrap-anywhere rounded border border-line bg-raised px-2 py-1 text-xs shadow-raised'
