import { useGenerationsOf } from '#gallery/api/generations.ts'
import { countOf, formatCount } from '#gallery/ui/count.ts'
import { usePlace } from '#gallery/url/use-place.ts'

interface RowCountProps {
  /** Where the images are. */
  board: string
  count: number
  className: string
}

/** How many images a place has; in a ring that pulses while more are being made there and it is not open. */
export function RowCount({ board, count, className }: RowCountProps) {
  const isOpen = usePlace().board === board
  const generations = useGenerationsOf(board)
  const making = generations.filter(({ status }) => status !== 'failed').length
  const isPulsing = making > 0 && !isOpen
  return (
    <span
      title={isPulsing ? `${countOf(making, 'image')} being made` : undefined}
      className={`relative mr-0.5 px-1.5 py-0.5 text-xs tabular-nums ${isPulsing ? 'font-medium text-accent' : 'pointer-events-none text-muted'} ${className}`}
    >
      {isPulsing && (
        <span
          aria-hidden
          className="absolute inset-0 animate-pulse rounded-full border-2 border-accent motion-reduce:animate-none"
        />
      )}
      {formatCount(count)}
    </span>
  )
}
