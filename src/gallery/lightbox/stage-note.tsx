import type { LoadState } from './stage-image.tsx'

interface StageNoteProps {
  isDrawable: boolean
  loadState: LoadState
}

/** What a person must know of the picture they see: that it is not the whole of the file. */
export function StageNote({ isDrawable, loadState }: StageNoteProps) {
  const words =
    loadState === 'failed'
      ? 'Couldn’t load the full resolution. This is the thumbnail.'
      : isDrawable
        ? null
        : 'Browsers cannot show TIFF files. This is a preview; download the image to get the file.'
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
