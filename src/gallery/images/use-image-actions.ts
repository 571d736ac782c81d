import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useMemo } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { copyImages } from '#gallery/api/copy-images.ts'
import { starImages, trashImages } from '#gallery/api/outbox.ts'
import { processRequested } from '#gallery/api/process-request.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { showToast } from '#gallery/ui/toast.ts'
import { downloadImages } from './download-images.ts'
import type { GridNow } from './grid-now.ts'
import {
  cachedPosition,
  currentTargets,
  nextStaying,
  type Targets,
  targetRecords,
} from './selected-images.ts'
import { selectionDeleted } from './selection-store.ts'

/** Images that a board is still to be chosen for: they move there, or copies of them do. */
export interface MoveRequest {
  readonly verb: 'Move' | 'Copy'
  readonly count: number
  readonly placeOn: (boardId: string) => void
}

export interface ImageActions {
  /** Stars them; takes the star where all of them have it. */
  toggleStar(): void
  star(imageNames: readonly string[], starred: boolean): void
  trash(): void
  move(): void
  /** Only where the server has a queue, which makes the copies. */
  copy(): void
  /** The same. */
  process(): void
  download(): void
}

/** What can be done to the images that are selected, or to the one that has the focus. */
export function useImageActions(
  now: RefObject<GridNow>,
  onMove: (request: MoveRequest) => void,
): ImageActions {
  const client = useQueryClient()
  return useMemo(() => {
    const withTargets = (act: (targets: Targets) => void) => {
      const targets = currentTargets(client, now.current)
      if (targets !== null) act(targets)
    }
    return {
      toggleStar: () =>
        withTargets(({ images }) => {
          starImages(
            images,
            targetRecords(now.current).some(({ starred }) => !starred),
          )
        }),
      star: (imageNames, starred) => void starImages(imageNames, starred),
      trash: () =>
        withTargets(({ images }) => {
          const next = nextStaying(now.current)
          trashImages(images)
          const position = next && cachedPosition(client, now.current, next.imageName)
          selectionDeleted(next && { ...next, position: position ?? next.position })
        }),
      move: () =>
        withTargets(({ count, moveTo }) => onMove({ verb: 'Move', count, placeOn: moveTo })),
      copy: () =>
        withTargets((targets) => {
          const placeOn = (boardId: string) => void copyImages(targets, boardId)
          onMove({ verb: 'Copy', count: targets.count, placeOn })
        }),
      process: () => withTargets(processRequested),
      download: () => withTargets((targets) => void download(targets, targetRecords(now.current))),
    }
  }, [client, now, onMove])
}

async function download(targets: Targets, known: readonly ImageRecord[]): Promise<void> {
  try {
    await downloadImages(await targets.names(), known)
  } catch (error) {
    showToast({
      tone: 'danger',
      title: 'The names of the selected images did not arrive',
      description: reasonOf(error),
      action: { label: 'Retry', run: () => void download(targets, known) },
    })
  }
}
