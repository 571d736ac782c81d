import { create } from 'zustand'
import { boardOfFolder } from '#gallery/api/boards/create-board.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import type { UploadTarget } from '#gallery/api/uploads/upload.ts'
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

const useStore = create<{ question: Question | null }>(() => ({ question: null }))

/** Asks if each folder should become a board, then uploads the folders. */
export const askAboutFolders = (folders: readonly FolderToUpload[], target: UploadTarget): void =>
  useStore.setState({ question: { folders, target } })

export const useFolderQuestion = (): Question | null => useStore(({ question }) => question)

export const closeFolderQuestion = (): void => useStore.setState({ question: null })

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
