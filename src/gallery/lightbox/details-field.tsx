import { CopyButton } from '#gallery/ui/copy-button.tsx'
import type { MetadataRow } from './metadata-rows.ts'

interface DetailsFieldProps {
  row: MetadataRow
  /** Text of some length, such as a prompt. */
  isLong?: boolean
  onSearch: (value: string) => void
}

/** One value: a click on it searches for it, the button beside it copies it. */
export function DetailsField({ row, isLong = false, onSearch }: DetailsFieldProps) {
  const { label, value, copied = value, search } = row
  const text = `block w-full whitespace-pre-wrap break-words text-start text-sm ${isLong ? 'max-h-64 overflow-y-auto' : ''}`
  return (
    <div className="relative min-h-10 py-1 pr-10 pointer-coarse:min-h-12">
      <dt className="text-muted text-xs">{label}</dt>
      <dd>
        {search === undefined ? (
          <span dir="auto" className={text}>
            {value}
          </span>
        ) : (
          <button
            type="button"
            dir="auto"
            className={`${text} rounded-sm underline decoration-line decoration-dotted underline-offset-4 hover:text-accent hover:decoration-current`}
            title={`Search for this ${label.toLowerCase()}`}
            onClick={() => onSearch(search)}
          >
            {value}
          </button>
        )}
        <span className="absolute top-1 right-0">
          <CopyButton label={`Copy ${label.toLowerCase()}`} text={copied} />
        </span>
      </dd>
    </div>
  )
}
