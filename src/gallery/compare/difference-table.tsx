import { memo } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { fileNameOf } from '#gallery/ui/text/names.ts'
import type { DifferingRow } from './differing-rows.ts'
import { wordDifferences } from './word-differences.ts'

interface DifferenceTableProps {
  images: readonly ImageRecord[]
  /** undefined: the metadata is not loaded yet. */
  rows: readonly DifferingRow[] | undefined
  hasFailed: boolean
}

/** The properties whose values differ. Texts are compared with the first one, word by word. */
export function DifferenceTable({ images, rows, hasFailed }: DifferenceTableProps) {
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
        {rows.map(({ label, values, isText }) => (
          <tr key={label} className="border-line border-t">
            <th scope="row" className={`${cell} font-normal text-muted`}>
              {label}
            </th>
            {images.map(({ image_name }, at) => (
              <td key={image_name} className={cell}>
                <Value
                  value={values[at] ?? ''}
                  other={isText && at > 0 ? (values[0] ?? '') : null}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const cell = 'px-3 py-1.5 text-start align-top'

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
