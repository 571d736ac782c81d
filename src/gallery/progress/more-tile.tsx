import { formatCount } from '#gallery/ui/text/count.ts'
import { MakingTile, type TilePlace } from './making-tile.tsx'

interface MoreTileProps extends TilePlace {
  count: number
  onOpenQueue: () => void
}

export function MoreTile({ count, onOpenQueue, ...place }: MoreTileProps) {
  const words = `and ${formatCount(count)} more`
  const act = (key: string): boolean => {
    if (key !== 'Enter') return false
    onOpenQueue()
    return true
  }
  return (
    <MakingTile {...place} name={`${words}: show the queue`} onKey={act}>
      <button
        type="button"
        tabIndex={-1}
        onClick={onOpenQueue}
        className="flex size-full items-center justify-center rounded-sm border border-line bg-sunken p-2 text-center text-muted text-sm hover:bg-hover hover:text-ink"
      >
        {words}
      </button>
    </MakingTile>
  )
}
