import { useGallery } from '#gallery/api/gallery-context.tsx'
import { Button } from '#gallery/ui/button.tsx'
import { Dialog } from '#gallery/ui/popups/dialog.tsx'
import { countOf } from '#gallery/ui/text/count.ts'
import { closeFolderQuestion, uploadToOwnBoard, useFolderQuestion } from './folders-to-ask.ts'

/** The dialog that asks what to do with dropped folders. The app renders it once. */
export function FolderQuestion() {
  const api = useGallery()
  const question = useFolderQuestion()
  const { folders, target } = question ?? { folders: [], target: { label: '' } }
  const count = folders.length
  const first = folders[0]?.name ?? ''
  return (
    <Dialog
      isOpen={question !== null}
      onClose={closeFolderQuestion}
      title={count === 1 ? `Upload “${first}”` : `Upload ${countOf(count, 'folder')}`}
      description={
        count === 1
          ? `Create the board “${first}” for this folder, or upload its images to ${target.label}?`
          : `Create a board for each folder, with its name, or upload all images to ${target.label}?`
      }
      actions={
        <>
          <Button tone="quiet" onClick={closeFolderQuestion}>
            Cancel
          </Button>
          <Button
            onClick={() => {
              closeFolderQuestion()
              if (question) for (const { upload } of question.folders) upload(question.target)
            }}
          >
            Upload to {target.label}
          </Button>
          <Button
            tone="primary"
            onClick={() => {
              closeFolderQuestion()
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
