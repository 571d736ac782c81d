import { percentOf } from './generation-words.ts'

interface ProgressRingProps {
  /** 0 to 1; null: not known, and it turns. */
  fraction: number | null
  label: string
  sizePx: number
}

/** How far something is. */
export function ProgressRing({ fraction, label, sizePx }: ProgressRingProps) {
  const percent = percentOf(fraction)
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
      className="relative flex shrink-0 items-center justify-center"
      style={{ width: sizePx, height: sizePx }}
    >
      <svg
        aria-hidden
        viewBox="0 0 36 36"
        className={`absolute inset-0 size-full -rotate-90 ${percent === null ? 'animate-[spin_1.2s_linear_infinite] motion-reduce:animate-none' : ''}`}
      >
        <circle {...circle} className="stroke-current opacity-25" />
        <circle
          {...circle}
          pathLength={100}
          strokeDasharray={`${percent ?? 25} 100`}
          strokeLinecap="round"
          className="stroke-current transition-[stroke-dasharray] duration-300"
        />
      </svg>
      {percent !== null && sizePx >= 36 && (
        <span aria-hidden className="font-semibold text-xs tabular-nums">
          {percent}
        </span>
      )}
    </span>
  )
}

const circle = { cx: 18, cy: 18, r: 16, fill: 'none', strokeWidth: 3 }
