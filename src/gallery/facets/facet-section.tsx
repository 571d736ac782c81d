import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import type { FacetValue } from '#contract/search/facets.ts'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import type { Noun } from '#gallery/api/images/noun.ts'
import { formatCount } from '#gallery/ui/text/count.ts'
import { inputClasses } from '#gallery/ui/text-field.tsx'
import type { FacetChoice } from './facet-choices.ts'
import { FacetList } from './facet-list.tsx'
import { rowsOf } from './facet-rows.ts'
import { type SectionKey, sectionLabels, valuesWith } from './facet-sections.ts'
import { toggleFold, useIsFolded } from './facets-store.ts'
import { FEW, MANY, useValues } from './use-facets.ts'

interface FacetSectionProps {
  section: SectionKey
  /** The most frequent values. */
  values: readonly FacetValue[]
  /** Number of all values. */
  total: number
  /** The chosen levels of tags, which are not among `values`. */
  levels: readonly FacetValue[]
  /** The included and excluded values of this property. */
  choices: readonly FacetChoice[]
  view: ImageView
  noun: Noun
}

const linkClasses =
  'rounded-sm px-4 py-1 text-left text-accent text-sm hover:underline pointer-coarse:min-h-11'

/** One property with its most frequent values, or with a list of all that can be filtered. */
export function FacetSection(props: FacetSectionProps) {
  const { section, values, total, levels, choices, noun } = props
  const isFolded = useIsFolded(section)
  const [isLong, setLong] = useState(false)
  const id = useId()
  const label = sectionLabels[section]
  const rows = rowsOf(section, [...values, ...levels], choices, FEW)
  return (
    <section aria-labelledby={id} className="border-line border-b py-1 last:border-b-0">
      <h3 id={id}>
        <button
          type="button"
          aria-expanded={!isFolded}
          onClick={() => toggleFold(section)}
          className="-outline-offset-2 flex min-h-9 w-full items-center gap-1.5 px-4 text-left font-medium text-muted text-xs hover:text-ink pointer-coarse:min-h-11"
        >
          <ChevronRight
            aria-hidden
            size={14}
            className={`-ml-0.5 shrink-0 transition-transform ${isFolded ? '' : 'rotate-90'}`}
          />
          <span className="flex-1">{label}</span>
          {isFolded && choices.length > 0 && (
            <span className="rounded-full bg-accent-soft px-1.5 text-accent tabular-nums">
              {formatCount(choices.length)}
              <span className="sr-only"> chosen</span>
            </span>
          )}
        </button>
      </h3>
      {!isFolded && isLong && <LongList {...props} onShorten={() => setLong(false)} />}
      {!isFolded && !isLong && (
        <>
          <FacetList section={section} rows={rows} noun={noun} />
          {total > FEW && (
            <button type="button" className={linkClasses} onClick={() => setLong(true)}>
              More…<span className="sr-only"> values of {label}</span>
            </button>
          )}
        </>
      )}
    </section>
  )
}

/** Many values of a property, with a field that filters them. */
function LongList(props: FacetSectionProps & { onShorten: () => void }) {
  const { section, levels, choices, view, noun, onShorten } = props
  const [text, setText] = useState('')
  const { data, isError, refetch } = useValues(view, section, text)
  const label = sectionLabels[section]
  const found = valuesWith(section, data?.values ?? props.values, text.trim())
  // A filtered list contains a chosen value only if it matches.
  const rows =
    text === ''
      ? rowsOf(section, [...found, ...levels], choices, MANY)
      : rowsOf(section, found, [], MANY, choices)
  const total = data?.total ?? props.total
  return (
    <>
      <div className="px-4 py-1">
        <input
          type="search"
          aria-label={`Filter values of ${label}`}
          placeholder="Filter"
          // biome-ignore lint/a11y/noAutofocus: the click on More asks for it
          autoFocus
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || text === '') return
            event.preventDefault()
            event.stopPropagation()
            setText('')
          }}
          className={inputClasses}
        />
      </div>
      {isError && (
        <p role="alert" className="px-4 py-1 text-danger text-sm">
          Couldn’t list the values.{' '}
          <button type="button" className="underline" onClick={() => void refetch()}>
            Retry
          </button>
        </p>
      )}
      {rows.length === 0 && <p className="px-4 py-1 text-muted text-sm">No value matches.</p>}
      <div className="max-h-[min(24rem,50dvh)] overflow-y-auto">
        <FacetList section={section} rows={rows} noun={noun} />
      </div>
      {total > MANY && (
        <p className="px-4 py-1 text-muted text-xs">
          {formatCount(rows.length)} of {formatCount(total)} values. Filter to find the others.
        </p>
      )}
      <button type="button" className={linkClasses} onClick={onShorten}>
        Less<span className="sr-only"> values of {label}</span>
      </button>
    </>
  )
}
