import { ImageOff, LoaderCircle, TriangleAlert } from 'lucide-react'
import { Button } from '#gallery/ui/button.tsx'
import { Notice } from '#gallery/ui/notice.tsx'
import { closeImage } from '#gallery/url/use-place.ts'

interface NoImageProps {
  isMissing: boolean
  hasFailed: boolean
}

/** What stands in the stage while there is no picture: on its way, not there, or not to be had. */
export function NoImage({ isMissing, hasFailed }: NoImageProps) {
  const back = <Button onClick={closeImage}>Back to the images</Button>
  if (isMissing) {
    return (
      <Notice icon={ImageOff} title="Image not found" actions={back}>
        It may have been deleted, or the link may belong to another gallery.
      </Notice>
    )
  }
  if (hasFailed) {
    return (
      <Notice icon={TriangleAlert} tone="danger" title="Couldn’t load the image" actions={back}>
        The server did not answer. Go back and try again.
      </Notice>
    )
  }
  return (
    <div role="status" className="flex h-full items-center justify-center text-muted">
      <LoaderCircle aria-hidden size={24} className="animate-spin" />
      <span className="sr-only">Loading the image</span>
    </div>
  )
}
