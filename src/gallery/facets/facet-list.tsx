import { Check, Minus } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import type { Noun } from '#gallery/api/images/noun.ts'
import { moveFocus } from '#gallery/ui/keys/move-focus.ts'
import { countOf, formatCount } from '#gallery/ui/text/count.ts'
import { changeSearch } from '#gallery/url/change-search.ts'
import { type FacetChoice, withToggled } from './facet-choices.ts'
import type { FacetRow } from './facet-rows.ts'
import { type SectionKey, sectionLabels, textOfValue } from './facet-sections.ts'

interface FacetListProps {
  section: SectionKey
  rows: readonly FacetRow[]
  noun: Noun
}

/** Values with their counts. The list is one tab stop: the arrow keys, Home and End move the focus in it. */
export function FacetList({ section, rows, noun }: FacetListProps) {
  const [focused, setFocused] = useState<string | null>(null)
  const entry = rows.find(({ value }) => value === focused) ?? rows[0]
  const most = Math.max(1, ...rows.map(({ count }) => count ?? 0))
  return (
    <ul
      aria-label={`Values of ${sectionLabels[section]}`}
      onKeyDown={(event) => moveFocus(event, '[data-value]')}
    >
      {rows.map((row) => (
        <FacetItem
          key={row.value}
          section={section}
          row={row}
          share={(row.count ?? 0) / most}
          noun={noun}
          isTabStop={row === entry}
          onFocus={() => setFocused(row.value)}
        />
      ))}
    </ul>
  )
}

interface FacetItemProps {
  section: SectionKey
  row: FacetRow
  /** Length of the bar, 0 to 1. */
  share: number
  noun: Noun
  isTabStop: boolean
  onFocus: () => void
}

/** One value. A click includes it, Alt+click or the button at its end excludes it, and a second click takes this back. */
function FacetItem({ section, row, share, noun, isTabStop, onFocus }: FacetItemProps) {
  const { value, count, state } = row
  const text = textOfValue(section, value)
  const toggle = (isExcluded: boolean) => toggleValue({ key: section, value, isExcluded })
  const excludeByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Delete' && event.key !== '-') return
    // Delete would also delete the selected images.
    event.preventDefault()
    toggle(true)
  }
  const label = [text, count === null ? '' : countOf(count, noun), state ?? '']
  return (
    <li className="group/value relative flex items-center hover:bg-hover">
      <button
        type="button"
        data-value={value}
        aria-label={label.filter((part) => part !== '').join(', ')}
        title={text}
        tabIndex={isTabStop ? 0 : -1}
        onFocus={onFocus}
        onClick={({ altKey }) => toggle(altKey || state === 'excluded')}
        onKeyDown={excludeByKey}
        // The pseudo-element makes the whole row its target.
        className="-outline-offset-2 flex min-h-6 min-w-0 flex-1 items-center gap-2 py-1 pr-2 pl-4 text-left text-sm after:absolute after:inset-0 pointer-coarse:min-h-11"
      >
        <Mark state={state} />
        <span dir="auto" className={`min-w-0 flex-1 truncate ${looks[state ?? 'free']}`}>
          {text}
        </span>
      </button>
      {count !== null && (
        // Not in the button, whose label has it with its unit.
        <span
          aria-hidden
          className="mr-10 shrink-0 text-muted text-xs tabular-nums pointer-coarse:mr-12"
        >
          {formatCount(count)}
        </span>
      )}
      <button
        type="button"
        tabIndex={-1}
        aria-label={state === 'excluded' ? `No longer exclude ${text}` : `Exclude ${text}`}
        title={state === 'excluded' ? 'No longer exclude' : 'Exclude (Alt+click)'}
        onClick={() => toggle(true)}
        className="absolute right-2 z-10 flex size-6 items-center justify-center rounded text-muted opacity-0 hover:text-ink focus-visible:opacity-100 group-focus-within/value:opacity-100 group-hover/value:opacity-100 pointer-coarse:right-0.5 pointer-coarse:size-11 pointer-coarse:opacity-100"
      >
        <Minus aria-hidden size={14} />
      </button>
      <span
        aria-hidden
        className={`pointer-events-none absolute bottom-0 left-10 h-0.5 rounded-full ${state === 'included' ? 'bg-accent' : 'bg-muted/30'}`}
        style={{ width: `calc((100% - 5rem) * ${share})` }}
      />
    </li>
  )
}

const looks = {
  included: 'font-medium text-accent',
  excluded: 'text-muted line-through',
  free: '',
}

/** A small box: empty, with a check, or with a minus. */
function Mark({ state }: Pick<FacetRow, 'state'>) {
  const colors = {
    included: 'border-accent bg-accent text-accent-ink',
    excluded: 'border-danger text-danger',
    free: 'border-muted/60',
  }
  return (
    <span
      aria-hidden
      className={`flex size-4 shrink-0 items-center justify-center rounded-sm border ${colors[state ?? 'free']}`}
    >
      {state === 'included' && <Check size={12} strokeWidth={3} />}
      {state === 'excluded' && <Minus size={12} strokeWidth={3} />}
    </span>
  )
}

const toggleValue = (choice: FacetChoice): void =>
  changeSearch((query) => withToggled(query, choice))
