import { create } from 'zustand'
import { boardOfFolder } from '#gallery/api/boards/create-board.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { reasonOf } from '#gallery/api/reason-of.ts'
import type { UploadTarget } from '#gallery/api/uploads/upload.ts'
import { Button } from '#gallery/ui/button.tsx'
import { Dialog } from '#gallery/ui/popups/dialog.tsx'
import { countOf } from '#gallery/ui/text/count.ts'
import { showToast } from '#gallery/ui/toasts/toast.tsx'

export interface FolderToUpload {
  readonly name: string
  readonly upload: (target: UploadTarget) => void
}

interface Question {
  readonly folders: readonly FolderToUpload[]
  /** Destination of the files if no boards are created. */
  readonly target: UploadTarget
}

const useQuestion = create<{ question: Question | null }>(() => ({ question: null }))

/** Asks if each folder should become a board, then uploads the folders. */
export const askAboutFolders = (folders: readonly FolderToUpload[], target: UploadTarget): void =>
  useQuestion.setState({ question: { folders, target } })

const close = (): void => useQuestion.setState({ question: null })

/** Uploads a folder to the board with its name. Creates the board if it does not exist. */
export async function uploadToOwnBoard(api: GalleryApi, folder: FolderToUpload): Promise<void> {
  try {
    const { board_id, board_name } = await boardOfFolder(api, folder.name)
    folder.upload({ boardId: board_id, label: board_name })
  } catch (error) {
    showToast({
      tone: 'danger',
      title: `Could not create the board “${folder.name}”`,
      description: `Nothing of the folder was uploaded. ${reasonOf(error)}`,
      action: { label: 'Retry', run: () => void uploadToOwnBoard(api, folder) },
    })
  }
}

/** The dialog that asks what to do with dropped folders. The app renders it once. */
export function FolderQuestion() {
  const api = useGallery()
  const question = useQuestion((state) => state.question)
  const { folders, target } = question ?? { folders: [], target: { label: '' } }
  const count = folders.length
  const first = folders[0]?.name ?? ''
  return (
    <Dialog
      isOpen={question !== null}
      onClose={close}
      title={count === 1 ? `Upload “${first}”` : `Upload ${countOf(count, 'folder')}`}
      description={
        count === 1
          ? `Create the board “${first}” for this folder, or upload its images to ${target.label}?`
          : `Create a board for each folder, with its name, or upload all images to ${target.label}?`
      }
      actions={
        <>
          <Button tone="quiet" onClick={close}>
            Cancel
          </Button>
          <Button
            onClick={() => {
              close()
              if (question) for (const { upload } of question.folders) upload(question.target)
            }}
          >
            Upload to {target.label}
          </Button>
          <Button
            tone="primary"
            onClick={() => {
              close()
              // Sequentially, so that the boards have the order of the folders.
              void folders.reduce(
                (before, folder) => before.then(() => uploadToOwnBoard(api, folder)),
                Promise.resolve(),
              )
            }}
          >
            {count === 1 ? 'Create a board' : `Create ${countOf(count, 'board')}`}
          </Button>
        </>
      }
    />
  )
}
