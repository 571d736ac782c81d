import { Dialog } from '@base-ui/react/dialog'
import { useRef } from 'react'
import { useBackCloses } from '#gallery/ui/back.ts'
import { ImportForm } from './import-form.tsx'
import { cardIdOf, type ImportWish, importDialogClosed, importStarted } from './import-store.ts'

/** Asks which folder of the server's machine to import, and how. */
export function ImportDialog({ wish }: { wish: ImportWish }) {
  const startedId = useRef('')
  useBackCloses(true, importDialogClosed)
  const started = (importId: string) => {
    startedId.current = importId
    importStarted(importId)
    importDialogClosed()
  }
  // The button that opened this dialog disappears when the first images arrive.
  const cardOrButton = () => document.getElementById(cardIdOf(startedId.current)) ?? true
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && importDialogClosed()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup
          finalFocus={cardOrButton}
          className="fixed inset-0 z-50 m-auto flex flex-col overflow-hidden bg-raised shadow-floating outline-none sm:h-fit sm:max-h-[calc(100dvh-3rem)] sm:w-[min(44rem,calc(100vw-3rem))] sm:rounded-lg sm:border sm:border-line"
        >
          <div className="shrink-0 border-line border-b px-5 py-3">
            <Dialog.Title className="font-semibold text-lg">Import a folder</Dialog.Title>
            <Dialog.Description className="text-muted text-sm">
              Imports images from a folder on this computer, including its subfolders. The folder
              itself is never changed.
            </Dialog.Description>
          </div>
          <ImportForm wish={wish} onStarted={started} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
