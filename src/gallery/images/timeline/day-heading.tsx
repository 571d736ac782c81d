import { ListChecks } from 'lucide-react'
import { memo } from 'react'
import type { Noun } from '#gallery/api/images/noun.ts'
import { HEADING_PX, type PlacedGroup } from '#gallery/images/grid/grid-layout.ts'
import { formatCount } from '#gallery/ui/text/count.ts'
import { labelOfGroup, languageOfLabel } from './day-label.ts'

interface DayTitleProps {
  group: PlacedGroup
  noun: Noun
  /** Left edge of the tiles, in pixels. */
  leftPx: number
  onSelect: (group: PlacedGroup) => void
}

/** The title of a day, the number of its images, and a button that selects them. */
export function DayTitle({ group, noun, leftPx, onSelect }: DayTitleProps) {
  const label = labelOfGroup(group.key)
  return (
    <div
      className="flex h-full items-center gap-2"
      style={{ paddingLeft: leftPx, paddingRight: leftPx }}
    >
      <h2 lang={languageOfLabel(label)} className="truncate font-semibold text-base">
        {label}
      </h2>
      {group.count > 0 && <DayImages group={group} noun={noun} label={label} onSelect={onSelect} />}
    </div>
  )
}

/** The image count and the select button. Not rendered while a day has only running generations. */
function DayImages({
  group,
  noun,
  label,
  onSelect,
}: Omit<DayTitleProps, 'leftPx'> & { label: string }) {
  return (
    <>
      <span className="shrink-0 text-muted text-sm tabular-nums">
        {formatCount(group.count)}
        <span className="max-sm:sr-only"> {group.count === 1 ? noun : `${noun}s`}</span>
      </span>
      <button
        type="button"
        // Not in the tab order: the grid is a single tab stop, and a shortcut selects the day.
        tabIndex={-1}
        data-act="select-day"
        aria-label={`Select these: ${label}`}
        onClick={() => onSelect(group)}
        className="pointer-events-auto -mr-2 ml-auto flex h-8 shrink-0 items-center justify-center rounded px-2 text-muted text-sm hover:bg-hover hover:text-ink pointer-coarse:h-11 pointer-coarse:min-w-11"
      >
        <span className="max-sm:hidden">Select these</span>
        <ListChecks aria-hidden size={18} strokeWidth={1.75} className="sm:hidden" />
      </button>
    </>
  )
}

interface DayHeadingProps extends DayTitleProps {
  row: number
  columns: number
  /** Distance from the top of the box that contains the rows, in pixels. */
  offsetPx: number
}

export const DayHeading = memo(function DayHeading(props: DayHeadingProps) {
  const { row, columns, offsetPx, ...title } = props
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names the active tile
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be laid out as rows that come and go
    <div
      role="row"
      aria-rowindex={row + 1}
      className="absolute inset-x-0"
      style={{ top: offsetPx, height: HEADING_PX }}
    >
      {/* biome-ignore lint/a11y/useFocusableInteractive: nothing in it can be chosen but its button */}
      {/* biome-ignore lint/a11y/useSemanticElements: a table cannot be laid out as rows that come and go */}
      <div role="rowheader" aria-colindex={1} aria-colspan={columns} className="h-full">
        <DayTitle {...title} />
      </div>
    </div>
  )
})
