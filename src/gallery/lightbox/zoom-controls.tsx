import { ZoomIn, ZoomOut } from 'lucide-react'
import { IconButton } from '#gallery/ui/icon-button.tsx'

interface ZoomControlsProps {
  percent: number
  /** Whether there is little room: the buttons are then for the mouse only. */
  isCramped: boolean
  canZoomIn: boolean
  canZoomOut: boolean
  onZoomIn: () => void
  onZoomOut: () => void
  /** Between the whole picture and its actual size. */
  onToggle: () => void
}

/** The zoom level, and buttons for it. A finger can also pinch or double-tap. */
export function ZoomControls(props: ZoomControlsProps) {
  const { percent, isCramped, canZoomIn, canZoomOut, onZoomIn, onZoomOut, onToggle } = props
  return (
    <div
      className={`absolute bottom-3 left-1/2 flex -translate-x-1/2 items-center rounded-full border border-line bg-raised px-1 shadow-raised ${isCramped ? 'pointer-coarse:hidden' : ''}`}
    >
      <IconButton label="Zoom out" icon={ZoomOut} disabled={!canZoomOut} onClick={onZoomOut} />
      <button
        type="button"
        className="h-8 min-w-12 rounded pointer-coarse:h-11 text-muted text-xs tabular-nums hover:text-ink"
        title={canZoomOut ? 'Fit to the window' : 'Actual size'}
        onClick={onToggle}
      >
        {percent} %
      </button>
      <IconButton label="Zoom in" icon={ZoomIn} disabled={!canZoomIn} onClick={onZoomIn} />
    </div>
  )
}
