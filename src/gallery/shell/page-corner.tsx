import { type ReactNode, useRef } from 'react'
import { useIsCompact } from '#gallery/ui/use-media.ts'
import { useFoot } from './use-foot.ts'

/**
 * Where cards stand that tell of long work, one above the other: at the foot of a narrow screen. What
 * lies beside them can be used.
 */
export function PageCorner({ children }: { children: ReactNode }) {
  const cards = useRef<HTMLDivElement>(null)
  useFoot(cards, useIsCompact())
  return (
    <div className="pointer-events-none fixed right-0 bottom-0 left-0 z-30 max-h-dvh overflow-y-auto p-2 sm:left-auto sm:w-[26rem] sm:p-4">
      <div ref={cards} className="flex flex-col gap-2 *:pointer-events-auto">
        {children}
      </div>
    </div>
  )
}
