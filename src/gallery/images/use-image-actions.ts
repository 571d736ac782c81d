import { type QueryClient, useQueryClient } from '@tanstack/react-query'
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
  nextAfterDelete,
  type Targets,
  targetRecords,
} from './selected-images.ts'
import { selectionDeleted } from './selection-store.ts'

/** Asks for a board to move images or copies of them to. */
export interface MoveRequest {
  readonly verb: 'Move' | 'Copy'
  readonly count: number
  readonly placeOn: (boardId: string) => void
}

export interface ImageActions {
  /** Stars them, or unstars them if all are starred. */
  toggleStar(): void
  star(imageNames: readonly string[], starred: boolean): void
  trash(): void
  move(): void
  /** Needs a server with a queue. */
  copy(): void
  /** Needs a server with a queue. */
  process(): void
  download(): void
}

interface ImageActionsOptions {
  client: QueryClient
  now: RefObject<GridNow>
  onMove: (request: MoveRequest) => void
  onProcess: (targets: Targets) => void
}

/** The actions on the images of {@link currentTargets}, for the selection bar and the keys. */
export function imageActionsOf(options: ImageActionsOptions): ImageActions {
  const { client, now, onMove, onProcess } = options
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
        const next = nextAfterDelete(now.current)
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
    process: () => withTargets(onProcess),
    download: () => withTargets((targets) => void download(targets, targetRecords(now.current))),
  }
}

/** {@link imageActionsOf} for a grid. */
export function useImageActions(
  now: RefObject<GridNow>,
  onMove: (request: MoveRequest) => void,
): ImageActions {
  const client = useQueryClient()
  return useMemo(
    () => imageActionsOf({ client, now, onMove, onProcess: processRequested }),
    [client, now, onMove],
  )
}

async function download(targets: Targets, known: readonly ImageRecord[]): Promise<void> {
  try {
    await downloadImages(await targets.names(), known)
  } catch (error) {
    showToast({
      tone: 'danger',
      title: 'Could not load the names of the selected images',
      description: reasonOf(error),
      action: { label: 'Retry', run: () => void download(targets, known) },
    })
  }
}
