import { memo, type ReactNode } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { fileNameOf } from '#gallery/ui/text/names.ts'
import type { DifferingRow } from './differing-rows.ts'
import { wordDifferences } from './word-differences.ts'

interface DifferenceTableProps {
  images: readonly ImageRecord[]
  /** undefined: the metadata is not loaded yet. */
  rows: readonly DifferingRow[] | undefined
  hasFailed: boolean
  /** Called with the condition of a clicked value. null: values are not clickable. */
  onFind: ((condition: string, isExcluded: boolean) => void) | null
}

/** The properties whose values differ. Texts are compared with the first one, word by word. */
export function DifferenceTable({ images, rows, hasFailed, onFind }: DifferenceTableProps) {
  if (hasFailed) {
    return (
      <p role="alert" className="p-4 text-danger text-sm">
        Couldn’t load generation details.
      </p>
    )
  }
  if (rows === undefined) return <p className="p-4 text-muted text-sm">Loading details…</p>
  if (rows.length === 0) {
    return <p className="p-4 text-muted text-sm">The details of these images are the same.</p>
  }
  return (
    <table
      className="w-full table-fixed select-text border-collapse text-sm"
      style={{ minWidth: `${8 + 9 * images.length}rem` }}
    >
      <thead className="sticky top-0 z-10 bg-surface text-muted">
        <tr>
          <th scope="col" className={cell} style={{ width: '8rem' }}>
            <span className="sr-only">Property</span>
          </th>
          {images.map((image, at) => (
            <th key={image.image_name} scope="col" className={`${cell} font-medium`}>
              {at + 1} <bdi className="break-all font-normal">{fileNameOf(image)}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, values, conditions, isText }) => (
          <tr key={label} className="border-line border-t">
            <th scope="row" className={`${cell} font-normal text-muted`}>
              {label}
            </th>
            {images.map(({ image_name }, at) => (
              <td key={image_name} className={cell}>
                <FindButton condition={conditions[at]} onFind={onFind}>
                  <Value
                    value={values[at] ?? ''}
                    other={isText && at > 0 ? (values[0] ?? '') : null}
                  />
                </FindButton>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const cell = 'px-3 py-1.5 text-start align-top'

interface FindButtonProps extends Pick<DifferenceTableProps, 'onFind'> {
  condition: string | undefined
  children: ReactNode
}

/** A value that can be clicked if searches compare it. */
function FindButton({ condition, onFind, children }: FindButtonProps) {
  if (condition === undefined || onFind === null) return children
  return (
    <button
      type="button"
      title={`Add ${condition} to the search. Alt+click excludes it.`}
      className="text-start underline decoration-dotted decoration-line underline-offset-4 hover:text-accent hover:decoration-current pointer-coarse:min-h-11"
      onClick={({ altKey }) => onFind(condition, altKey)}
    >
      {children}
    </button>
  )
}

const keyedParts = (text: string, other: string) =>
  wordDifferences(text, other).map((part, key) => ({ ...part, key }))

interface ValueProps {
  value: string
  /** null: the value is not compared with another one. */
  other: string | null
}

/** A value. Memoized, because a zoom renders the table again. */
const Value = memo(function Value({ value, other }: ValueProps) {
  if (value === '') return <span className="text-muted">–</span>
  if (other === null || other === '') {
    return (
      <span dir="auto" className="whitespace-pre-wrap break-words">
        {value}
      </span>
    )
  }
  return (
    <span dir="auto" className="whitespace-pre-wrap break-words">
      {keyedParts(value, other).map(({ key, value: text, change }) => {
        if (change === 'same') return <span key={key}>{text}</span>
        return change === 'added' ? (
          <ins
            key={key}
            className="ml-0.5 rounded-sm bg-hover font-medium text-accent no-underline"
          >
            {text}
          </ins>
        ) : (
          <del key={key} className="text-muted">
            {text}
          </del>
        )
      })}
    </span>
  )
})
