import { Group } from '@visx/group'
import { HeatmapRect } from '@visx/heatmap'
import { scaleLinear, scaleSqrt } from '@visx/scale'
import { useLayoutEffect, useRef } from 'react'
import type { Noun } from '#gallery/api/images/noun.ts'
import { perLocale } from '#gallery/ui/text/locale.ts'
import { useElementSize } from '#gallery/ui/use-element-size.ts'
import { useIsCompact } from '#gallery/ui/use-media.ts'
import { Mark, PlotDrawing } from './mark.tsx'
import type { Plot } from './plot.ts'
import { type CalendarDay, calendarOf, monthStarts, type YearOfDays } from './time-values.ts'

/** In pixels. */
const LEFT_PX = 36
const TOP_PX = 18
const MIN_CELL_PX = 14
const MAX_CELL_PX = 19
const WEEKS = 54

/** Height of the calendar in pixels. */
export const useDaysHeight = (): number => TOP_PX + 7 * (useIsCompact() ? MIN_CELL_PX : MAX_CELL_PX)

const shortMonth = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' }),
)
const shortDay = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }),
)

interface DayPlotProps {
  plot: Plot
  year: YearOfDays
  noun: Noun
}

interface Week {
  bins: CalendarDay[]
}

/** The days of a year as a calendar: a column for each week, stronger colors for more images. It may scroll. */
export function DayPlot({ plot, year, noun }: DayPlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const size = useElementSize(box)
  const widthPx = size?.widthPx ?? 0
  const cellPx = Math.max(
    MIN_CELL_PX,
    Math.min(MAX_CELL_PX, Math.floor((widthPx - LEFT_PX) / WEEKS)),
  )
  const days = calendarOf(year)
  const weeks = weeksOf(days)
  const most = Math.max(1, ...year.values.map(({ count }) => count))
  const x = scaleLinear({ domain: [0, 1], range: [0, cellPx] })
  const opacity = scaleSqrt({ domain: [1, Math.max(2, most)], range: [0.3, 1] })
  const last = year.values.at(-1)?.id
  const isShown = widthPx > 0
  useLayoutEffect(() => {
    // The newest images of the year, if there is no room for all.
    const newest = box.current?.querySelector(`[data-mark="${last}"]`)
    if (!isShown || !newest || !box.current) return
    const beyond = newest.getBoundingClientRect().right - box.current.getBoundingClientRect().right
    if (beyond > 0) box.current.scrollLeft += beyond + 2 * MIN_CELL_PX
  }, [isShown, last])
  return (
    <div ref={box} className="overflow-x-auto overflow-y-hidden">
      {isShown && (
        <PlotDrawing
          plot={plot}
          width={LEFT_PX + WEEKS * cellPx}
          height={TOP_PX + 7 * cellPx}
          className="block"
        >
          <Labels year={year.year} cellPx={cellPx} />
          <Group left={LEFT_PX} top={TOP_PX}>
            <HeatmapRect<Week, CalendarDay>
              data={weeks}
              bins={({ bins }) => bins}
              count={({ value }) => value?.count ?? 0}
              xScale={x}
              yScale={x}
              binWidth={cellPx}
              binHeight={cellPx}
              gap={3}
            >
              {(columns) =>
                columns.flat().map(({ bin, row, column, width, height }) => {
                  const cell = {
                    x: column * cellPx,
                    y: bin.weekday * cellPx,
                    ...{ width, height, rx: 3 },
                  }
                  const { value } = bin
                  if (value === null)
                    return <rect key={`${column} ${row}`} {...cell} className="fill-hover" />
                  return (
                    <Mark key={value.id} value={value} noun={noun}>
                      <rect {...cell} className="fill-surface" />
                      <rect
                        {...cell}
                        fillOpacity={opacity(value.count)}
                        className="fill-accent stroke-transparent group-hover/mark:stroke-ink"
                      />
                    </Mark>
                  )
                })
              }
            </HeatmapRect>
          </Group>
        </PlotDrawing>
      )}
    </div>
  )
}

const weeksOf = (days: readonly CalendarDay[]): Week[] => {
  const weeks: Week[] = []
  for (const day of days) {
    const week = weeks[day.week] ?? { bins: [] }
    week.bins.push(day)
    weeks[day.week] = week
  }
  return weeks
}

/** The names of the months and of some days of the week. */
function Labels({ year, cellPx }: { year: string; cellPx: number }) {
  return (
    <Group aria-hidden>
      {monthStarts(year).map((week, month) => (
        <text
          // biome-ignore lint/suspicious/noArrayIndexKey: the months of a year
          key={month}
          x={LEFT_PX + (week + (month === 0 ? 0 : 1)) * cellPx}
          y={12}
          className="fill-muted text-xs"
        >
          {shortMonth().format(Date.UTC(2024, month, 1))}
        </text>
      ))}
      {[0, 2, 4].map((weekday) => (
        <text
          key={weekday}
          x={LEFT_PX - 6}
          y={TOP_PX + (weekday + 0.5) * cellPx - 1.5}
          dy="0.35em"
          textAnchor="end"
          className="fill-muted text-xs"
        >
          {/* January 1, 2024 is a Monday. */}
          {shortDay().format(Date.UTC(2024, 0, 1 + weekday))}
        </text>
      ))}
    </Group>
  )
}
