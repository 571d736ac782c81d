import { useLayoutEffect, useRef, useState } from 'react'

interface CompareProps {
  originalUrl: string
  /** null shows only the original. */
  result: ImageBitmap | null
}

/** A checkerboard that is visible through transparent pixels. */
const squares = {
  backgroundImage:
    'conic-gradient(var(--hover) 25%, transparent 0 50%, var(--hover) 0 75%, transparent 0)',
  backgroundSize: '16px 16px',
}

const pictureClasses = 'absolute inset-0 size-full object-contain'

/** The original and the result, one over the other, with a draggable divider between them. */
export function Compare({ originalUrl, result }: CompareProps) {
  const [percent, setPercent] = useState(50)
  return (
    <div className="relative size-full overflow-hidden rounded" style={squares}>
      <img
        alt="Original"
        src={originalUrl}
        className={pictureClasses}
        style={result === null ? undefined : { clipPath: `inset(0 ${100 - percent}% 0 0)` }}
      />
      {result !== null && (
        <>
          <ResultCanvas bitmap={result} clipPath={`inset(0 0 0 ${percent}%)`} />
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

function ResultCanvas({ bitmap, clipPath }: { bitmap: ImageBitmap; clipPath: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useLayoutEffect(() => {
    const node = canvas.current
    const isClosed = bitmap.width === 0
    if (node === null || isClosed) return
    node.width = bitmap.width
    node.height = bitmap.height
    node.getContext('2d')?.drawImage(bitmap, 0, 0)
  }, [bitmap])
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label="Result"
      className={pictureClasses}
      style={{ clipPath }}
    />
  )
}
