import { useQuery } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { useRef } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { useDropTarget } from '#gallery/ui/drag/drop.ts'
import { STARRED } from '#gallery/url/place.ts'
import { NavRow } from './nav-row.tsx'
import type { RovingFocus } from './use-roving-focus.ts'

/** The row of the starred images of all boards. A drop stars images, which stay on their boards. */
export function StarredRow({ focus }: { focus: ReturnType<RovingFocus['propsOf']> }) {
  const row = useRef<HTMLDivElement>(null)
  const { starredCount } = useGallery()
  const { data: count } = useQuery(starredCount.query())
  const { isOver } = useDropTarget(row, { kind: 'images', onDrop: ({ star }) => star() })
  return (
    <div ref={row}>
      <NavRow
        board={STARRED}
        name="Starred"
        count={count}
        icon={<Star aria-hidden size={18} strokeWidth={1.75} />}
        isDropTarget={isOver}
        focus={focus}
      />
    </div>
  )
}
