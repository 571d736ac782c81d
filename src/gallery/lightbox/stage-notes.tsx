import { Button } from '#gallery/ui/button.tsx'
import type { LoadState } from '#gallery/ui/stage/sharpened-picture.tsx'
import { closeImage } from '#gallery/url/use-place.ts'
import type { WayOn } from './stage-image.tsx'

interface StageNoteProps {
  /** A format that browsers cannot draw; null: they draw the file. */
  format: string | null
  loadState: LoadState
}

/** A note that the shown image is not the full resolution of the file. */
export function StageNote({ format, loadState }: StageNoteProps) {
  const words =
    loadState === 'failed'
      ? 'Couldn’t load the full resolution. This is the thumbnail.'
      : format === null
        ? null
        : `Browsers cannot show ${format} files. This is a preview; download the image to get the file.`
  if (words === null) return null
  return (
    <p
      role={loadState === 'failed' ? 'alert' : undefined}
      className="absolute inset-x-0 top-3 mx-auto w-fit max-w-[calc(100%-2rem)] rounded-full border border-line bg-raised px-4 py-1.5 text-center text-muted text-sm shadow-raised"
    >
      {words}
    </p>
  )
}

/** A note that the shown image is in the trash, and a way on. */
export function DeletedNote({ noun, wayOn }: { noun: string; wayOn: WayOn | null }) {
  return (
    <div className="absolute inset-x-0 top-3 mx-auto flex w-fit max-w-[calc(100%-2rem)] flex-wrap items-center justify-center gap-x-3 gap-y-1 rounded-lg border border-line bg-raised px-4 py-2 text-sm shadow-raised sm:py-1 sm:pr-1">
      <p role="status">This {noun} was deleted. It is in the trash.</p>
      <Button tone="plain" onClick={wayOn?.go ?? closeImage}>
        {wayOn?.label ?? 'Back to the images'}
      </Button>
    </div>
  )
}
