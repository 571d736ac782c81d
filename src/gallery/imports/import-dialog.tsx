import { Dialog } from '@base-ui/react/dialog'
import { useRef } from 'react'
import { ImportForm } from './import-form.tsx'
import { cardIdOf, type ImportWish, importDialogClosed } from './import-store.ts'

/** Asks which folder of this machine is to be brought in, and how. */
export function ImportDialog({ wish }: { wish: ImportWish }) {
  const startedId = useRef('')
  const started = (importId: string) => {
    startedId.current = importId
    importDialogClosed()
  }
  // The button that led here goes when the first images come.
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
            <Dialog.Title className="font-semibold text-lg">Point at a folder</Dialog.Title>
            <Dialog.Description className="text-muted text-sm">
              Images on this machine come in as they are, from folders inside too. The folder itself
              is never changed.
            </Dialog.Description>
          </div>
          <ImportForm wish={wish} onStarted={started} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
