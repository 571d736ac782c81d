import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useId } from 'react'
import { MAX_BOARD_NAME_LENGTH } from '#contract/limits.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { ImportRequest } from '#gallery/api/imports.ts'
import { inputClasses } from '#gallery/ui/text-field.tsx'

export type ImportChoices = Required<
  Pick<ImportRequest, 'boards' | 'board_name' | 'link' | 'watch'>
>

interface ImportOptionsProps {
  choices: ImportChoices
  onChange: (choices: ImportChoices) => void
}

export function ImportOptions({ choices, onChange }: ImportOptionsProps) {
  const name = useId()
  const radio = (boards: ImportChoices['boards']) => ({
    type: 'radio' as const,
    name,
    checked: choices.boards === boards,
    onChange: () => onChange({ ...choices, boards }),
  })
  const box = (key: 'link' | 'watch') => ({
    type: 'checkbox' as const,
    checked: choices[key],
    onChange: () => onChange({ ...choices, [key]: !choices[key] }),
  })
  return (
    <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
      <fieldset className="min-w-0">
        <legend className="mb-1 font-medium text-sm">Boards</legend>
        <Choice
          {...radio('folders')}
          label="A board for each folder"
          hint="Nested folders become “Trip/Day 1”. Loose files go to Assets."
        />
        <Choice {...radio('one')} label="All on one board" />
        {choices.boards === 'one' && (
          <BoardName
            value={choices.board_name}
            onChange={(board_name) => onChange({ ...choices, board_name })}
          />
        )}
        <Choice {...radio('none')} label="No board (Assets)" />
      </fieldset>
      <fieldset className="min-w-0">
        <legend className="mb-1 font-medium text-sm">Files</legend>
        <Choice
          {...box('link')}
          label="Link instead of copy"
          hint="Saves space with hard links. Editing the original also changes it here."
        />
        <Choice
          {...box('watch')}
          label="Keep watching this folder"
          hint="New files are imported automatically."
        />
      </fieldset>
    </div>
  )
}

/** The field for the name of an existing or new board. */
function BoardName({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { boardQueries } = useGallery()
  const boards = useQuery(boardQueries.list()).data ?? []
  const listId = useId()
  return (
    <div className="pb-1 pl-6">
      <input
        aria-label="Name of the board"
        placeholder="Existing board or a new name"
        list={listId}
        maxLength={MAX_BOARD_NAME_LENGTH}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className={inputClasses}
      />
      <datalist id={listId}>
        {boards.map(({ board_id, board_name }) => (
          <option key={board_id} value={board_name} />
        ))}
      </datalist>
    </div>
  )
}

type ChoiceProps = Omit<ComponentProps<'input'>, 'children'> & {
  type: 'radio' | 'checkbox'
  label: string
  hint?: string
}

function Choice({ label, hint, ...input }: ChoiceProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-2 py-1 pointer-coarse:py-2.5">
      <input
        id={id}
        className="mt-0.5 size-4 shrink-0 accent-accent"
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        {...input}
      />
      <div className="min-w-0">
        <label htmlFor={id} className="block text-sm">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-muted text-xs">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
