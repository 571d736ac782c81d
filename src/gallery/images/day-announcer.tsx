import { countOf } from '#gallery/ui/count.ts'
import { labelOfGroup } from './day-label.ts'
import { type GridLayout, groupOf } from './grid-layout.ts'

/** Tells a screen reader the day that the focus has come to. */
export function DayAnnouncer({ layout, cursor }: { layout: GridLayout; cursor: number | null }) {
  const group = cursor === null ? null : groupOf(layout, cursor)
  return (
    <p className="sr-only" aria-live="polite">
      {group && `${labelOfGroup(group.key)}, ${countOf(group.count, 'image')}`}
    </p>
  )
}
