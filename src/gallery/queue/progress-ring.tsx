interface ProgressRingProps {
  label: string
  /** The progress from 0 to 1; null if unknown. */
  fraction: number | null
}

const RADIUS = 14
const AROUND = 2 * Math.PI * RADIUS

/** A progress ring. It spins if the progress is unknown. */
export function ProgressRing({ label, fraction }: ProgressRingProps) {
  const shown = fraction ?? 0.25
  return (
    <svg
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(fraction !== null && { 'aria-valuenow': Math.round(fraction * 100) })}
      viewBox="0 0 32 32"
      className={`size-8 ${fraction === null ? 'animate-spin' : '-rotate-90'}`}
    >
      <circle cx={16} cy={16} r={RADIUS} fill="none" strokeWidth={3} className="stroke-line" />
      <circle
        cx={16}
        cy={16}
        r={RADIUS}
        fill="none"
        strokeWidth={3}
        strokeLinecap="round"
        strokeDasharray={AROUND}
        strokeDashoffset={AROUND * (1 - shown)}
        className="stroke-accent transition-[stroke-dashoffset] duration-200"
      />
    </svg>
  )
}
