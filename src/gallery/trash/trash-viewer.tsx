import { Dialog } from '@base-ui/react/dialog'
import { ChevronLeft, ChevronRight, Undo2, X } from 'lucide-react'
import type { ImageRecord } from '#contract/image.ts'
import { imageUrls } from '#gallery/api/metadata-queries.ts'
import { restoreImages } from '#gallery/api/outbox.ts'
import { Button } from '#gallery/ui/button.tsx'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { useKeys } from '#gallery/ui/keys.ts'

interface TrashViewerProps {
  images: readonly ImageRecord[]
  /** The image that is shown; `null`: the viewer is closed. */
  imageName: string | null
  onShow: (imageName: string | null) => void
}

/** Largest side of the thumbnail for files that browsers cannot draw, in pixels. */
const DRAWN_SIZE_PX = 1536

/** Shows an image of the trash in full, to look at it before it is restored. */
export function TrashViewer({ images, imageName, onShow }: TrashViewerProps) {
  const at = images.findIndex((image) => image.image_name === imageName)
  const image = images[at]
  const step = (by: number) => {
    const next = images[at + by]
    if (image && next) onShow(next.image_name)
  }
  const restore = () => {
    if (!image) return
    const next = images[at + 1] ?? images[at - 1]
    restoreImages([image.image_name])
    onShow(next?.image_name ?? null)
  }
  useKeys(
    'Trash',
    [
      { keys: 'ArrowRight', label: 'Next image', run: () => step(1) },
      { keys: 'ArrowLeft', label: 'Previous image', run: () => step(-1) },
    ],
    { within: () => document.querySelector('[aria-label="Image in the trash"]') },
  )
  const name = image ? image.file_name || image.image_name : ''
  return (
    <Dialog.Root open={image !== undefined} onOpenChange={(isOpen) => !isOpen && onShow(null)}>
      <Dialog.Portal>
        <Dialog.Popup
          aria-label="Image in the trash"
          className="fixed inset-0 z-40 flex flex-col bg-sunken outline-none"
          // The library keeps arrow keys inside a popup from reaching the page.
          onKeyDown={(event) => event.preventBaseUIHandler()}
        >
          <header className="flex min-h-12 items-center gap-2 border-line border-b bg-surface py-1 pr-2 pl-4">
            <p className="min-w-0 flex-1 truncate text-sm">{name}</p>
            <Button tone="primary" onClick={restore}>
              <Undo2 aria-hidden size={16} strokeWidth={2} />
              Restore
            </Button>
            <IconButton label="Close" icon={X} onClick={() => onShow(null)} />
          </header>
          <div className="relative min-h-0 flex-1">
            {image && (
              <img
                key={image.image_name}
                src={
                  image.media_type === 'image/tiff'
                    ? imageUrls.thumbnail(image, DRAWN_SIZE_PX)
                    : imageUrls.full(image)
                }
                alt={name}
                className="absolute inset-0 size-full object-contain p-2"
              />
            )}
            <IconButton
              label="Previous image"
              icon={ChevronLeft}
              disabled={at <= 0}
              onClick={() => step(-1)}
              className="absolute top-1/2 left-3 border border-line bg-raised/80"
            />
            <IconButton
              label="Next image"
              icon={ChevronRight}
              disabled={at >= images.length - 1}
              onClick={() => step(1)}
              className="absolute top-1/2 right-3 border border-line bg-raised/80"
            />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
