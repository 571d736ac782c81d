import { useEffect } from 'react'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { countOf } from '#gallery/ui/count.ts'
import { isolated } from '#gallery/ui/names.ts'
import { showToast } from '#gallery/ui/toast.ts'
import { currentPlace, goTo } from '#gallery/url/use-place.ts'
import type { Upload, UploadTarget } from './upload.ts'
import { currentUploads, onQueueChange } from './upload-store.ts'
import { isShownIn } from './upload-target.ts'

/** When a queue has come to its end, says what went to boards that are not open, and offers to show it. */
export function useFinishedToasts(): void {
  useEffect(() => {
    const told = new Set(doneOf(currentUploads().uploads).map(({ uploadId }) => uploadId))
    return onQueueChange(({ uploads, tally }, before) => {
      if (tally.left > 0 || before.tally.left === 0) return
      const fresh = doneOf(uploads).filter(({ uploadId }) => !told.has(uploadId))
      for (const { uploadId } of fresh) told.add(uploadId)
      const { board } = currentPlace()
      for (const { target, count } of byTarget(fresh)) {
        if (!isShownIn(board, target)) tell(target, count)
      }
    })
  }, [])
}

const doneOf = (uploads: readonly Upload[]) => uploads.filter(({ status }) => status === 'done')

function byTarget(uploads: readonly Upload[]): { target: UploadTarget; count: number }[] {
  const groups = Map.groupBy(uploads, ({ target }) => target.boardId)
  return [...groups.values()].flatMap((group) => {
    const target = group[0]?.target
    return target ? [{ target, count: group.length }] : []
  })
}

function tell(target: UploadTarget, count: number): void {
  const board = target.boardId ?? UNCATEGORIZED_BOARD_ID
  showToast({
    title: `${countOf(count, 'image')} uploaded to ${isolated(target.label)}`,
    action: { label: 'Show', run: () => goTo({ board, image: null, query: '' }) },
  })
}
