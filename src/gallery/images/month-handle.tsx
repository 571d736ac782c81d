import { ChevronsUpDown } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { GridNow } from './grid-now.ts'
import type { Month } from './month-marks.ts'
import { useMonthSlider } from './use-month-slider.ts'

/** How long it stays after the last movement, in milliseconds. */
const LINGER_MS = 1500

interface MonthHandleProps {
  now: RefObject<GridNow>
  months: readonly Month[]
}

/** Where there is no room for years: a handle that comes while a person scrolls, to be dragged by a thumb. */
export function MonthHandle({ now, months }: MonthHandleProps) {
  const line = useRef<HTMLDivElement>(null)
  const handle = useRef<HTMLDivElement>(null)
  const [isShown, setIsShown] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { slider, isHeld, label, goToHeight, take, letGo } = useMonthSlider({
    now,
    months,
    line,
    onMove: (share) => {
      if (handle.current === null) return
      const top = `${share * 100}%`
      const hasMoved = handle.current.style.top !== '' && handle.current.style.top !== top
      handle.current.style.top = top
      if (!hasMoved) return
      setIsShown(true)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setIsShown(false), LINGER_MS)
    },
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  if (months.length === 0) return null

  return (
    <div ref={line} className="pointer-events-none absolute top-6 right-0 bottom-24 w-12">
      <div
        {...slider}
        ref={handle}
        className={`absolute right-0 flex h-12 w-11 -translate-y-1/2 touch-none select-none items-center justify-center rounded-l-full border border-line border-r-0 bg-raised text-muted shadow-raised transition-opacity focus-visible:opacity-100 ${isShown || isHeld ? 'pointer-events-auto' : 'opacity-0'}`}
        onPointerDown={take}
        onPointerMove={(event) => isHeld && goToHeight(event.clientY)}
        onPointerUp={letGo}
        onPointerCancel={letGo}
      >
        <ChevronsUpDown aria-hidden size={20} />
        {isHeld && (
          <span
            aria-hidden
            className="absolute right-full mr-2 whitespace-nowrap rounded-full border border-line bg-raised px-3 py-1 font-medium text-ink text-sm shadow-raised"
          >
            {label}
          </span>
        )}
      </div>
    </div>
  )
}
