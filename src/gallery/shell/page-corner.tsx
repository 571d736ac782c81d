import { type ReactNode, useRef } from 'react'
import { useIsCompact } from '#gallery/ui/use-media.ts'
import { useCornerRoom } from './use-corner-room.ts'

/**
 * The cards of uploads and imports, at the end of the page's column: below the images where the column is
 * narrow, floating over its right corner otherwise.
 */
export function PageCorner({ children }: { children: ReactNode }) {
  const corner = useRef<HTMLDivElement>(null)
  const isDocked = useCornerRoom(corner, useIsCompact())
  return (
    <div
      ref={corner}
      className={`flex flex-col *:shrink-0 ${isDocked ? 'relative max-h-[60%] shrink-0 overflow-y-auto bg-raised *:[section]:rounded-none *:[section]:border-x-0 *:[section]:border-b-0 *:[section]:shadow-none' : 'pointer-events-none absolute right-0 bottom-0 z-30 max-h-full w-[26rem] gap-2 overflow-y-auto has-[>section]:p-4 *:pointer-events-auto'}`}
    >
      {children}
    </div>
  )
}
