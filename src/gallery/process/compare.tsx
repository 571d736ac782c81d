import { useLayoutEffect, useRef } from 'react'
import { SplitPictures } from '#gallery/ui/stage/split-pictures.tsx'

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
export const Compare = ({ originalUrl, result }: CompareProps) => (
  <div className="relative size-full overflow-hidden rounded" style={squares}>
    <SplitPictures
      label="Original or result"
      valueText={(percent) => `${percent} % original`}
      first={(clipPath) => (
        <img alt="Original" src={originalUrl} className={pictureClasses} style={{ clipPath }} />
      )}
      second={result && ((clipPath) => <ResultCanvas bitmap={result} clipPath={clipPath} />)}
    />
  </div>
)

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
