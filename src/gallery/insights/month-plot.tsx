import { AxisBottom, AxisLeft } from '@visx/axis'
import { Group } from '@visx/group'
import { scaleBand, scaleLinear } from '@visx/scale'
import { Bar } from '@visx/shape'
import { useLayoutEffect, useRef } from 'react'
import type { Noun } from '#gallery/api/images/noun.ts'
import { formatCount } from '#gallery/ui/text/count.ts'
import { perLocale } from '#gallery/ui/text/locale.ts'
import { useElementSize } from '#gallery/ui/use-element-size.ts'
import { Mark, PlotDrawing } from './mark.tsx'
import type { Plot } from './plot.ts'
import { monthsBetween } from './time-values.ts'

/** In pixels. */
export const MONTHS_HEIGHT_PX = 176
const AXIS_PX = 24
const LEFT_PX = 52
const TOP_PX = 8
const MIN_COLUMN_PX = 10
const LABEL_PX = 44

const shortMonth = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' }),
)

/** The months as columns. Many months scroll. */
export function MonthPlot({ plot, noun }: { plot: Plot; noun: Noun }) {
  const box = useRef<HTMLDivElement>(null)
  const size = useElementSize(box)
  const months = monthsBetween(plot.values)
  const widthPx = size?.widthPx ?? 0
  const roomPx = Math.max(widthPx - LEFT_PX, months.length * MIN_COLUMN_PX)
  const basePx = MONTHS_HEIGHT_PX - AXIS_PX
  // A few months are not wide blocks.
  const usedPx = Math.min(roomPx, months.length * 72)
  const x = scaleBand({ domain: months, range: [0, usedPx], paddingInner: 0.25, paddingOuter: 0.1 })
  const y = scaleLinear({
    domain: [0, Math.max(1, ...plot.values.map(({ count }) => count))],
    range: [basePx, TOP_PX],
    nice: 3,
  })
  const isShown = widthPx > 0
  useLayoutEffect(() => {
    // The newest months, if there is no room for all.
    if (isShown && box.current) box.current.scrollLeft = box.current.scrollWidth
  }, [isShown])
  return (
    <div ref={box} className="overflow-x-auto overflow-y-hidden">
      {isShown && (
        <PlotDrawing
          plot={plot}
          width={LEFT_PX + roomPx}
          height={MONTHS_HEIGHT_PX}
          className="block"
        >
          <Group left={LEFT_PX} aria-hidden>
            <AxisLeft
              scale={y}
              tickValues={y.ticks(3).filter(Number.isInteger)}
              tickFormat={(count) => formatCount(Number(count))}
              hideAxisLine
              hideTicks
              tickLabelProps={{
                ...label,
                className: labelClasses,
                textAnchor: 'end',
                dx: -4,
                dy: 4,
              }}
            />
          </Group>
          <Group left={LEFT_PX}>
            {plot.values.map((value) => (
              <Mark key={value.id} value={value} noun={noun}>
                <Bar
                  x={(x(value.id) ?? 0) - (x.step() - x.bandwidth()) / 2}
                  width={x.step()}
                  height={basePx}
                  className="fill-transparent"
                />
                <Bar
                  x={x(value.id) ?? 0}
                  y={Math.min(y(value.count), basePx - 2)}
                  width={x.bandwidth()}
                  height={Math.max(2, basePx - y(value.count))}
                  rx={2}
                  className="fill-accent group-hover/mark:opacity-80"
                />
              </Mark>
            ))}
            <Group aria-hidden>
              <AxisBottom
                scale={x}
                top={basePx}
                tickValues={ticksOf(months, x.step())}
                tickFormat={(month) => monthLabel(month, x.step())}
                hideTicks
                axisLineClassName="stroke-line"
                tickLabelProps={{ ...label, className: labelClasses, textAnchor: 'middle', dy: 2 }}
              />
            </Group>
          </Group>
        </PlotDrawing>
      )}
    </div>
  )
}

/** Otherwise the library sets its own font. The classes set size and color. */
const label = { fontFamily: 'inherit' }
const labelClasses = 'fill-muted text-xs tabular-nums'

/** Labels of months, or of years if the columns are narrow. */
const ticksOf = (months: readonly string[], stepPx: number): string[] => {
  if (stepPx >= LABEL_PX) return [...months]
  const januaries = months.filter((month, at) => month.endsWith('-01') || at === 0)
  const every = Math.ceil(LABEL_PX / (12 * stepPx))
  return januaries.filter((month, at) => {
    const next = januaries[at + 1]
    const isTight =
      next !== undefined && months.indexOf(next) - months.indexOf(month) < LABEL_PX / stepPx
    return !isTight && at % every === 0
  })
}

const monthLabel = (month: string, stepPx: number): string => {
  const year = month.slice(0, -3)
  const isJanuary = month.endsWith('-01')
  if (stepPx < LABEL_PX || isJanuary) return year
  return shortMonth().format(new Date(`${month}-01T00:00Z`))
}
