import { type ReactNode, useState } from 'react'

interface SplitPicturesProps {
  /** The accessible name of the slider. */
  label: string
  /** Describes the position of the slider: `50 % original`. */
  valueText: (percent: number) => string
  /** null shows the whole first picture. */
  second: ((clipPath: string) => ReactNode) | null
  first: (clipPath: string | undefined) => ReactNode
}

/** Two pictures, one over the other, with a draggable divider between them. */
export function SplitPictures({ label, valueText, first, second }: SplitPicturesProps) {
  const [percent, setPercent] = useState(50)
  return (
    <>
      {first(second === null ? undefined : `inset(0 ${100 - percent}% 0 0)`)}
      {second !== null && (
        <>
          {second(`inset(0 0 0 ${percent}%)`)}
          <input
            type="range"
            aria-label={label}
            aria-valuetext={valueText(percent)}
            className="peer absolute inset-0 size-full cursor-ew-resize opacity-0"
            value={percent}
            onChange={({ target }) => setPercent(target.valueAsNumber)}
          />
          <span
            aria-hidden
            className="pointer-events-none absolute inset-y-0 w-0.5 -translate-x-1/2 bg-accent peer-focus-visible:outline-2 peer-focus-visible:outline-accent peer-focus-visible:outline-offset-2"
            style={{ left: `${percent}%` }}
          />
        </>
      )}
    </>
  )
}
