import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import type { ImagesToCopy } from '#gallery/api/copy-images.ts'
import { processClosed } from '#gallery/api/process/process-request.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { Button } from '#gallery/ui/button.tsx'
import { useBackCloses } from '#gallery/ui/keys/back.ts'
import { countOf } from '#gallery/ui/text/count.ts'
import { ProcessForm } from './process-form.tsx'
import { startOfForm } from './start-of-form.ts'

/** Says what is to be done to images: a chain of steps, tried on one of them, then run on all. */
export function ProcessDialog({ images }: { images: ImagesToCopy }) {
  const popup = useRef<HTMLDivElement>(null)
  useBackCloses(true, processClosed)
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && processClosed()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup
          ref={popup}
          initialFocus={() => startOfForm(popup.current) ?? popup.current}
          className="fixed inset-0 z-50 m-auto flex flex-col overflow-hidden bg-raised shadow-floating outline-none short:max-sm:overflow-y-auto wide:h-[min(46rem,calc(100dvh-3rem))] wide:w-[min(70rem,calc(100vw-3rem))] wide:rounded-lg wide:border wide:border-line"
        >
          <Dialog.Title className="shrink-0 border-line border-b px-5 py-3 font-semibold text-lg">
            Process {countOf(images.count, 'image')}
          </Dialog.Title>
          <NamedImages images={images} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Of a whole view only a rule is known: the names come first. */
function NamedImages({ images }: { images: ImagesToCopy }) {
  const id = useId()
  const named = useQuery({
    queryKey: ['processed', id],
    queryFn: images.names,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (named.data) return <ProcessForm imageNames={named.data} />
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-3 p-6">
      {named.isError ? (
        <>
          <p role="alert" className="text-danger">
            Couldn’t load the image names. {reasonOf(named.error)}
          </p>
          <Button onClick={() => void named.refetch()}>Retry</Button>
        </>
      ) : (
        <p role="status" className="text-muted">
          Loading the images…
        </p>
      )}
    </div>
  )
}
