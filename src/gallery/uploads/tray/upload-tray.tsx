import { Suspense, useEffect, useRef, useState } from 'react'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { useReachability } from '#gallery/api/connection/reachability.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { type Noun, nounOfNames } from '#gallery/api/images/noun.ts'
import type { Upload, UploadTarget } from '#gallery/api/uploads/upload.ts'
import {
  useHasUnfinished,
  useIsReading,
  useUploads,
  useUploadTally,
} from '#gallery/api/uploads/upload-store.ts'
import { Announcement } from '#gallery/ui/announcement.tsx'
import { lazyPart } from '#gallery/ui/lazy-part.ts'
import { countOf } from '#gallery/ui/text/count.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { showToast } from '#gallery/ui/toasts/toast.tsx'
import { isShownIn } from '#gallery/uploads/upload-target.ts'
import { currentPlace, goTo } from '#gallery/url/use-place.ts'
import { announcementOf } from './tray-summary.ts'

export const UploadPanel = lazyPart(async () => (await import('./upload-panel.tsx')).UploadPanel)

/** The panel with the progress of all uploads, if there are any. */
export function UploadTray() {
  const isEmpty = useUploads().length === 0
  const isReading = useIsReading()
  useLeaveWarning()
  useFinishedToasts()
  useRetryOnReconnect()
  return (
    <>
      <UploadsAnnouncer />
      <Suspense>{(!isEmpty || isReading) && <UploadPanel />}</Suspense>
    </>
  )
}

/** Makes the browser ask for confirmation before the page is closed during an upload. */
function useLeaveWarning(): void {
  const hasUnfinished = useHasUnfinished()
  useEffect(() => {
    if (!hasUnfinished) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [hasUnfinished])
}

/** Retries as soon as the server is reachable again, instead of at the scheduled time. */
function useRetryOnReconnect(): void {
  const { uploads } = useGallery()
  const { kind } = useReachability()
  const before = useRef(kind)
  useEffect(() => {
    const isBack = before.current !== 'there' && kind === 'there'
    before.current = kind
    if (isBack && uploads.store.current().retryAt !== null) uploads.retryNow()
  }, [uploads, kind])
}

/** Announces the start and the result of a queue to screen readers, and nothing in between. */
function UploadsAnnouncer() {
  const { uploads } = useGallery()
  const tally = useUploadTally()
  const [announcement, setAnnouncement] = useState('')
  const leftBefore = useRef(0)
  useEffect(() => {
    if (leftBefore.current === 0 && tally.left > 0) {
      setAnnouncement(`Uploading ${countOf(tally.left, 'file')}`)
    }
    if (leftBefore.current > 0 && tally.left === 0) {
      const noun = nounOfUploads(doneOf(uploads.store.current().uploads))
      setAnnouncement(announcementOf(tally, noun))
    }
    leftBefore.current = tally.left
  }, [uploads, tally])
  return <Announcement>{announcement}</Announcement>
}

/** At the end of a queue, shows a toast with a link for each target board that is not open. */
function useFinishedToasts(): void {
  const { uploads } = useGallery()
  useEffect(() => {
    const announced = new Set(
      doneOf(uploads.store.current().uploads).map(({ uploadId }) => uploadId),
    )
    return uploads.store.onChange(({ uploads: all, tally }, before) => {
      if (tally.left > 0 || before.tally.left === 0) return
      const fresh = doneOf(all).filter(({ uploadId }) => !announced.has(uploadId))
      for (const { uploadId } of fresh) announced.add(uploadId)
      const { board } = currentPlace()
      for (const group of byTarget(fresh)) {
        if (!isShownIn(board, group.target)) showUploadedToast(group)
      }
    })
  }, [uploads])
}

const doneOf = (uploads: readonly Upload[]) => uploads.filter(({ status }) => status === 'done')

const nounOfUploads = (uploads: readonly Upload[]): Noun =>
  nounOfNames(uploads.flatMap(({ imageName }) => imageName ?? []))

interface Uploaded {
  readonly target: UploadTarget
  readonly count: number
  readonly noun: Noun
}

function byTarget(uploads: readonly Upload[]): Uploaded[] {
  const groups = Map.groupBy(uploads, ({ target }) => target.boardId)
  return [...groups.values()].flatMap((group) => {
    const target = group[0]?.target
    return target ? [{ target, count: group.length, noun: nounOfUploads(group) }] : []
  })
}

function showUploadedToast({ target, count, noun }: Uploaded): void {
  const board = target.boardId ?? UNCATEGORIZED_BOARD_ID
  showToast({
    title: `${countOf(count, noun)} uploaded to ${isolated(target.label)}`,
    action: { label: 'Show', run: () => goTo({ board, image: null, query: '' }) },
  })
}
