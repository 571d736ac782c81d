import { memo, useEffect, useRef, useState } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { Noun } from '#gallery/api/images/noun.ts'
import { nounOfTargets } from '#gallery/images/selection/selected-images.ts'
import { countSelected } from '#gallery/images/selection/selection.ts'
import { useSelection } from '#gallery/images/selection/selection-store.ts'
import { labelOfGroup } from '#gallery/images/timeline/day-label.ts'
import { Announcement } from '#gallery/ui/announcement.tsx'
import { countOf } from '#gallery/ui/text/count.ts'
import type { GridHandle } from './grid-handle.ts'
import { type GridLayout, groupOf, isGrouped } from './grid-layout.ts'

interface GridAnnouncerProps {
  grid: GridHandle
  layout: GridLayout
  total: number
  noun: Noun
  cursor: number | null
}

/**
 * Announces changes to screen readers that the active cell does not include: the number of selected images, the day of
 * the focused image, and a star set by a key. Each change gets one message.
 */
export const GridAnnouncer = memo(function GridAnnouncer(props: GridAnnouncerProps) {
  const { grid, layout, total, noun, cursor } = props
  const { outbox } = useGallery()
  const count = countSelected(useSelection(), total)
  const group = cursor === null || !isGrouped(layout) ? null : groupOf(layout, cursor)
  const day = group ? `${labelOfGroup(group.key)}, ${countOf(group.count, noun)}` : ''
  const before = useRef({ count: 0, day: '' })
  const [words, setWords] = useState('')

  useEffect(() => {
    const was = before.current
    before.current = { count, day }
    if (count !== was.count && count > 1) {
      setWords(`${countOf(count, nounOfTargets(grid.now))} selected`)
    } else if (day !== was.day && day !== '') setWords(day)
    else if (count !== was.count) setWords(count === 0 ? 'Selection cleared' : '')
  }, [grid, count, day])

  useEffect(
    () =>
      outbox.events.add(({ kind, action }) => {
        // Changes of several images are reported by a toast, and so is Undo.
        if (kind !== 'taken' || action.aspect !== 'starred' || action.count !== 1) return
        setWords(action.wanted ? 'Starred' : 'Unstarred')
      }),
    [outbox],
  )

  return <Announcement>{words}</Announcement>
})
