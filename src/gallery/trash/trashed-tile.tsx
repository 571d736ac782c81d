import { Maximize2 } from 'lucide-react'
import type { ImageRecord } from '#contract/image.ts'
import { boardNameOf } from '#gallery/api/board-name.ts'
import { gallery } from '#gallery/api/connection.ts'
import { countOf } from '#gallery/ui/count.ts'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { daysLeft } from './days-left.ts'
import { useIsTicked } from './trash-store.ts'

interface TrashedTileProps {
  image: ImageRecord
  tilePx: number
  /** Days that images are kept in the trash; undefined while not known. */
  days: number | undefined
  onTick: (isTicked: boolean, isRange: boolean) => void
  onView: () => void
}

/** One image of the trash: a click selects it, a double click shows it. */
export function TrashedTile({ image, tilePx, days, onTick, onView }: TrashedTileProps) {
  const isTicked = useIsTicked(image.image_name)
  const name = image.file_name || image.image_name
  const board = boardNameOf(image.board_id ?? 'none')
  const left =
    days === undefined || image.deleted_at === null
      ? ''
      : `${countOf(daysLeft(image.deleted_at, days), 'day')} left`
  return (
    <div
      data-picture
      className="group relative overflow-hidden rounded-sm bg-hover has-checked:outline-3 has-checked:outline-accent has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-ink has-[input:focus-visible]:outline-offset-2"
      style={{ width: tilePx, height: tilePx }}
    >
      <label className="absolute inset-0 cursor-pointer select-none" onDoubleClick={onView}>
        <img
          src={gallery.images.thumbnailUrl(image)}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          className={`size-full object-cover transition-opacity ${isTicked ? '' : 'opacity-70 group-hover:opacity-100'}`}
        />
        <input
          type="checkbox"
          aria-label={name}
          aria-description={[board && `From ${board}`, left].filter(Boolean).join(', ')}
          checked={isTicked}
          onChange={({ currentTarget, nativeEvent }) => {
            const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey
            onTick(currentTarget.checked, isRange)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            onView()
          }}
          className="absolute top-2 left-2 size-5 accent-accent focus-visible:outline-none"
        />
        <span
          aria-hidden
          className="absolute inset-x-0 bottom-0 flex flex-col bg-black/60 px-1.5 py-0.5 text-white text-xs leading-4"
        >
          {board && <span className="truncate">{board}</span>}
          <span className="truncate">{left}</span>
        </span>
      </label>
      <IconButton
        label={`View ${name}`}
        icon={Maximize2}
        tabIndex={-1}
        onClick={onView}
        className="absolute top-0 right-0 text-white! drop-shadow-md pointer-fine:opacity-0 pointer-fine:group-hover:opacity-100"
      />
    </div>
  )
}
