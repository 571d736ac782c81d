import type { ImageRecord } from '#contract/image.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { imageLabelOf } from '#gallery/ui/text/names.ts'

interface StripProps {
  images: readonly ImageRecord[]
  shown: readonly ImageRecord[]
  onChoose: (image: ImageRecord) => void
}

/** All compared images on a screen that shows two of them. */
export function Strip({ images, shown, onChoose }: StripProps) {
  const { client } = useGallery()
  return (
    <ul
      aria-label="All compared images"
      data-theme="dark"
      className="flex shrink-0 gap-1 overflow-x-auto border-line border-t bg-surface p-1"
    >
      {images.map((image, at) => (
        <li key={image.image_name}>
          <button
            type="button"
            aria-label={`Show image ${at + 1}: ${imageLabelOf(image)}`}
            aria-pressed={shown.includes(image)}
            className="block size-12 overflow-hidden rounded border-2 border-transparent aria-pressed:border-accent"
            onClick={() => onChoose(image)}
          >
            <img
              alt=""
              src={client.images.thumbnailUrl(image)}
              draggable={false}
              className="size-full object-cover"
            />
          </button>
        </li>
      ))}
    </ul>
  )
}
