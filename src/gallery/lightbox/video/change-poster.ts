import type { ImageRecord } from '#contract/image.ts'
import { choosePoster, type PosterApi } from '#gallery/api/images/video-posters.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { fileNameOf, isolated } from '#gallery/ui/text/names.ts'
import { showFailure, showToast } from '#gallery/ui/toasts/toast.tsx'
import { drawPoster } from '#gallery/ui/video/video-frame.ts'

/** Makes the frame that a player shows the poster of its video, with Undo in a toast. */
export function chooseFrame(
  api: PosterApi,
  image: ImageRecord,
  { element, now }: { readonly element: HTMLVideoElement | null; readonly now: number },
): Promise<void> {
  const draw = element === null ? undefined : () => drawPoster(element)
  return change(api, image, Math.round(now * 1000), draw)
}

/** Makes the frame that the server chooses the poster of a video, with Undo in a toast. */
export const chooseAutomatically = (api: PosterApi, image: ImageRecord): Promise<void> =>
  change(api, image, null)

async function change(
  api: PosterApi,
  image: ImageRecord,
  ...chosen: [timeMs: number | null, draw?: () => Promise<Blob>]
): Promise<void> {
  try {
    const undo = await choosePoster(api, image, ...chosen)
    showToast({
      title: `Thumbnail of “${isolated(fileNameOf(image))}” changed`,
      action: { label: 'Undo', run: undo },
    })
  } catch (error) {
    showFailure('Couldn’t change the thumbnail', reasonOf(error))
  }
}
