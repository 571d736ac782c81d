import { Group } from '@visx/group'
import { scaleBand, scaleLinear } from '@visx/scale'
import { Bar } from '@visx/shape'
import { useRef } from 'react'
import type { Noun } from '#gallery/api/images/noun.ts'
import { useElementSize } from '#gallery/ui/use-element-size.ts'
import { useMedia } from '#gallery/ui/use-media.ts'
import { Mark, PlotDrawing } from './mark.tsx'
import { amountOf, amountText, type Plot } from './plot.ts'

/** Width of a letter in a label, in pixels. */
const LETTER_PX = 7
const MAX_LABEL_PX = 176
/** Room for the amount after the longest bar. */
const AMOUNT_PX = 76
const BAR_PX = 14

/** Height of a row in pixels. With a finger, rows are as high as buttons. */
export const useRowHeight = (): number => (useMedia('(pointer: coarse)') ? 44 : 28)

interface BarPlotProps {
  plot: Plot
  noun: Noun
  /** Number of bars. */
  limit: number
}

/** The most frequent values as bars with their names and amounts. */
export function BarPlot({ plot, noun, limit }: BarPlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const size = useElementSize(box)
  const rowPx = useRowHeight()
  const values = plot.values.slice(0, limit)
  const widthPx = size?.widthPx ?? 0
  const heightPx = values.length * rowPx
  const labelPx = Math.min(MAX_LABEL_PX, Math.round(widthPx * 0.4))
  const rows = scaleBand({ domain: values.map(({ id }) => id), range: [0, heightPx] })
  const length = scaleLinear({
    domain: [0, Math.max(1, ...values.map(amountOf))],
    range: [2, Math.max(2, widthPx - labelPx - AMOUNT_PX)],
  })
  return (
    <div ref={box}>
      {widthPx > 0 && (
        <PlotDrawing
          plot={{ ...plot, values }}
          width={widthPx}
          height={heightPx}
          className="block overflow-visible"
        >
          {values.map((value) => {
            const amount = amountOf(value)
            return (
              <Group key={value.id} top={rows(value.id) ?? 0}>
                <Mark value={value} noun={noun}>
                  <Bar
                    width={widthPx}
                    height={rowPx}
                    rx={4}
                    className="fill-transparent group-hover/mark:fill-hover"
                  />
                  <Bar
                    x={labelPx}
                    y={(rowPx - BAR_PX) / 2}
                    width={length(amount)}
                    height={BAR_PX}
                    rx={3}
                    className="fill-accent"
                  />
                </Mark>
                {/* The name of the link has both texts. */}
                <Group aria-hidden className="pointer-events-none">
                  <text
                    x={labelPx - 8}
                    y={rowPx / 2}
                    dy="0.35em"
                    textAnchor="end"
                    className="fill-ink text-sm"
                  >
                    {shortened(value.label, labelPx)}
                  </text>
                  <text
                    x={labelPx + length(amount) + 8}
                    y={rowPx / 2}
                    dy="0.35em"
                    className="fill-muted text-xs tabular-nums"
                  >
                    {amountText(value)}
                  </text>
                </Group>
              </Group>
            )
          })}
        </PlotDrawing>
      )}
    </div>
  )
}

/** SVG does not cut text. */
const shortened = (label: string, widthPx: number): string => {
  const letters = [...label]
  const room = Math.max(4, Math.floor((widthPx - 8) / LETTER_PX))
  return letters.length <= room
    ? label
    : `${letters
        .slice(0, room - 1)
        .join('')
        .trimEnd()}…`
}
