import { useId } from 'react'
import { MAX_COLUMNS, type SheetFormat } from '#contract/downloads/sheet-layout.ts'
import { Choice, Switch } from '#gallery/ui/options.tsx'
import { inputClasses } from '#gallery/ui/text-field.tsx'
import type { SheetForm } from './draw-sheet.ts'
import { changeSheet } from './form-store.ts'

const formats: readonly { value: SheetFormat; label: string }[] = [
  { value: 'pdf', label: 'PDF, A4 pages' },
  { value: 'png', label: 'PNG, one picture' },
]

const columnCounts = Array.from({ length: MAX_COLUMNS }, (_, index) => index + 1)

/** The form of a contact sheet. */
export function SheetFields({ sheet, refusal }: { sheet: SheetForm; refusal: string | null }) {
  const id = useId()
  return (
    <>
      <Choice
        label="Format"
        value={sheet.format}
        options={formats}
        onChoose={(format) => changeSheet({ format })}
      />
      <div className="flex flex-col gap-1">
        <label htmlFor={id} className="font-medium text-muted text-xs">
          Columns
        </label>
        <select
          id={id}
          className={inputClasses}
          value={sheet.columns}
          onChange={({ target }) => changeSheet({ columns: Number(target.value) })}
        >
          {columnCounts.map((count) => (
            <option key={count}>{count}</option>
          ))}
        </select>
      </div>
      <Switch isOn={sheet.hasNames} onChange={(hasNames) => changeSheet({ hasNames })}>
        File names below the images
      </Switch>
      {refusal === null ? (
        <p className="text-muted text-sm">Thumbnails of all images on a white page.</p>
      ) : (
        <p role="alert" className="text-danger text-sm">
          {refusal}
        </p>
      )}
    </>
  )
}
