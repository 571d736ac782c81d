import type { ImageRecord } from '#contract/image.ts'
import { gallery } from '#gallery/api/connection.ts'
import { tickChanged, useIsTicked } from './trash-store.ts'

/** One image of the trash. The whole tile ticks it. */
export function TrashedTile({ image, tilePx }: { image: ImageRecord; tilePx: number }) {
  const isTicked = useIsTicked(image.image_name)
  const name = image.file_name || image.image_name
  return (
    <label
      className="relative block cursor-pointer overflow-hidden rounded-sm bg-hover has-checked:outline-3 has-checked:outline-accent has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2"
      style={{ width: tilePx, height: tilePx }}
    >
      <img
        src={gallery.images.thumbnailUrl(image)}
        alt=""
        loading="lazy"
        decoding="async"
        draggable={false}
        className={`size-full object-cover transition-opacity ${isTicked ? '' : 'opacity-70 hover:opacity-100'}`}
      />
      <input
        type="checkbox"
        aria-label={name}
        title={name}
        checked={isTicked}
        onChange={(event) => tickChanged(image.image_name, event.currentTarget.checked)}
        className="absolute top-2 left-2 size-5 accent-accent focus-visible:outline-none"
      />
    </label>
  )
}
