import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import type { Upload, UploadTarget } from '#gallery/api/uploads/upload.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { showFailure, showToast } from '#gallery/ui/toasts/toast.tsx'

type SavingApi = Pick<GalleryApi, 'uploads' | 'journal'>

/** Uploads a frame, and shows the result in a toast, because the viewer covers the list of uploads. */
export function saveFrame(api: SavingApi, png: Blob, fileName: string, target: UploadTarget): void {
  const { uploads } = api
  const file = new File([png], fileName, { type: 'image/png' })
  const limits = uploads.limits()
  if (limits.maxBytes !== null && file.size > limits.maxBytes) {
    showFailure('Couldn’t save the frame', 'It is larger than the server accepts.')
    return
  }
  uploads.add([{ fileName, folder: '', bytes: file.size, file }], target)
  const uploadId = uploads.store.idsOf(
    ({ uploadId }) => uploads.store.files.get(uploadId) === file,
  )[0]
  const stop = uploads.store.onChange(({ uploads: all }) => {
    const upload = all.find((one) => one.uploadId === uploadId)
    const isOver = upload === undefined || reportEnd(api, upload)
    if (isOver) stop()
  })
}

/** Shows how an upload ended. Returns false if it has not ended. */
function reportEnd({ uploads, journal }: SavingApi, upload: Upload): boolean {
  const { status, uploadId, fileName, imageName, target, reason } = upload
  switch (status) {
    case 'done': {
      const undo = () => {
        const isOfFrame = ({ thumbnails }: { thumbnails: readonly string[] }) =>
          imageName !== null && thumbnails.includes(imageName)
        const entry = journal.getState().findLast(isOfFrame)
        if (entry) journal.undo(entry.id)
      }
      showToast({
        title: `Saved “${isolated(fileName)}” to ${isolated(target.label)}`,
        action: { label: 'Undo', run: undo },
      })
      return true
    }
    case 'known':
      uploads.skipDuplicates([uploadId])
      showToast({ title: 'The gallery already has this frame' })
      return true
    case 'failed':
      showFailure('Couldn’t save the frame', reason ?? '')
      return true
    default:
      return status === 'cancelled'
  }
}
