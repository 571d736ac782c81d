import { useState } from 'react'

interface CompareProps {
  originalUrl: string
  /** Absent: there is only the original. */
  resultUrl: string | null
}

/** Where nothing is, transparent pictures show squares. */
const squares = {
  backgroundImage:
    'conic-gradient(var(--hover) 25%, transparent 0 50%, var(--hover) 0 75%, transparent 0)',
  backgroundSize: '16px 16px',
}

/** The original and what becomes of it, one over the other, with a line to drag between them. */
export function Compare({ originalUrl, resultUrl }: CompareProps) {
  const [percent, setPercent] = useState(50)
  // Until the first result of an image has come, its original is shown whole.
  const [comparedUrl, setComparedUrl] = useState<string | null>(null)
  const isCompared = resultUrl !== null && comparedUrl === originalUrl
  const pictureClasses = 'absolute inset-0 size-full object-contain'
  return (
    <div className="relative size-full overflow-hidden rounded" style={squares}>
      <img
        alt="Original"
        src={originalUrl}
        className={pictureClasses}
        style={isCompared ? { clipPath: `inset(0 ${100 - percent}% 0 0)` } : undefined}
      />
      {resultUrl !== null && (
        <>
          <img
            alt="Result"
            src={resultUrl}
            className={pictureClasses}
            style={{ clipPath: `inset(0 0 0 ${percent}%)` }}
            onLoad={() => setComparedUrl(originalUrl)}
          />
          <input
            type="range"
            aria-label="Original or result"
            aria-valuetext={`${percent} % original`}
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
    </div>
  )
}
