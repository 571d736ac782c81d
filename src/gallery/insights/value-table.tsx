import type { Noun } from '#gallery/api/images/noun.ts'
import { countOf, formatBytes, formatCount } from '#gallery/ui/text/count.ts'
import { followClick } from './mark.tsx'
import { type Plot, TABLE_VALUES } from './plot.ts'

interface ValueTableProps {
  plot: Plot
  noun: Noun
  /** False: only screen readers read it. */
  isShown: boolean
}

/** The values of a plot as a table. */
export function ValueTable({ plot, noun, isShown }: ValueTableProps) {
  const values = plot.values.slice(0, Math.max(TABLE_VALUES, isByTime(plot) ? plot.total : 0))
  const hasBytes = values.some(({ bytes }) => bytes !== undefined)
  return (
    <div className={isShown ? 'mt-3 max-h-80 overflow-y-auto border-line border-t' : 'sr-only'}>
      <table className="w-full text-sm">
        <caption className="sr-only">{plot.title}</caption>
        <thead className="sticky top-0 bg-surface text-left text-muted text-xs">
          <tr>
            <th scope="col" className="py-1.5 font-medium">
              {plot.property}
            </th>
            <th scope="col" className="py-1.5 text-right font-medium">
              {noun === 'image' ? 'Images' : 'Images and videos'}
            </th>
            {hasBytes && (
              <th scope="col" className="py-1.5 text-right font-medium">
                Size
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {values.map((value) => (
            <tr key={value.id} className="border-line border-t hover:bg-hover">
              <th scope="row" className="max-w-0 py-0.5 text-left font-normal">
                {isShown ? (
                  <button
                    type="button"
                    dir="auto"
                    data-mark={value.id}
                    title={`${value.label} (Alt+click excludes it)`}
                    onClick={(event) => followClick(event, value)}
                    className="-outline-offset-2 block w-full min-w-0 truncate py-0.5 text-left hover:underline pointer-coarse:min-h-11"
                  >
                    {value.label}
                  </button>
                ) : (
                  value.label
                )}
              </th>
              <td className="w-28 text-right tabular-nums">{formatCount(value.count)}</td>
              {hasBytes && (
                <td className="w-24 text-right tabular-nums">{formatBytes(value.bytes ?? 0)}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {plot.total > values.length && (
        <p className={isShown ? 'py-2 text-muted text-xs' : ''}>
          The first {formatCount(values.length)} of {countOf(plot.total, 'value')}. The CSV file has
          more.
        </p>
      )}
    </div>
  )
}

const isByTime = ({ id }: Plot): boolean => id === 'days' || id === 'months'
