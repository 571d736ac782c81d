import { useQuery } from '@tanstack/react-query'
import { create } from 'zustand'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { nounOfNames } from '#gallery/api/images/noun.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { deleteTrashed } from '#gallery/api/trash/trash-cache.ts'
import { Button } from '#gallery/ui/button.tsx'
import { Dialog } from '#gallery/ui/popups/dialog.tsx'
import { countOf, sizedCount } from '#gallery/ui/text/count.ts'
import { showFailure, showToast } from '#gallery/ui/toasts/toast.tsx'

interface DeleteRequest {
  readonly names: () => Promise<readonly string[]>
  /** Called before the images disappear. Its result is called afterwards. */
  readonly onDelete: () => () => void
}

interface Asked extends Pick<DeleteRequest, 'onDelete'> {
  readonly imageNames: readonly string[]
  readonly id: number
}

const useAsked = create<{ asked: Asked | null; isOpen: boolean }>(() => ({
  asked: null,
  isOpen: false,
}))

/** Opens the dialog. The images that it counts are exactly the ones that it deletes. */
export function askToDelete({ names, onDelete }: DeleteRequest): void {
  void orReport('load the names of the selected images', async () => {
    useAsked.setState({
      asked: { imageNames: await names(), onDelete, id: Date.now() },
      isOpen: true,
    })
  })
}

const close = () => useAsked.setState({ isOpen: false })

/** Asks before images in the trash are permanently deleted. */
export function DeleteForGoodDialog() {
  const api = useGallery()
  const { asked, isOpen } = useAsked()
  // The text stays while the dialog fades out.
  const count = asked?.imageNames.length ?? 0
  const noun = nounOfNames(asked?.imageNames ?? [])
  const what = countOf(count, noun)
  const { data: bytes } = useQuery({
    ...api.imageQueries.sizeOf(asked?.imageNames ?? [], asked?.id ?? 0),
    enabled: isOpen,
  })
  const remove = () => {
    close()
    if (asked === null) return
    const afterwards = asked.onDelete()
    void orReport(`delete ${what}`, async () => {
      await deleteTrashed(api, asked.imageNames)
      showToast({ title: `${what} deleted for good` })
    })
    afterwards()
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={`Delete ${what} for good?`}
      description={`${sizedCount(count, bytes, noun)}. ${count === 1 ? 'The file is' : 'The files are'} removed from the disk. This cannot be undone.`}
      actions={
        <>
          <Button tone="quiet" onClick={close}>
            Cancel
          </Button>
          <Button tone="danger" onClick={remove}>
            Delete for good
          </Button>
        </>
      }
    />
  )
}

/** Runs an action and reports its failure with Retry. */
async function orReport(what: string, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    showFailure(`Could not ${what}`, reasonOf(error), () => void orReport(what, act))
  }
}
