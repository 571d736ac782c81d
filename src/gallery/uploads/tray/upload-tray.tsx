import { Progress } from '@base-ui/react/progress'
import { useEffect, useRef, useState } from 'react'
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
import { Button } from '#gallery/ui/button.tsx'
import { focusFallback } from '#gallery/ui/keys/focus.ts'
import { countOf } from '#gallery/ui/text/count.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { showToast } from '#gallery/ui/toast.tsx'
import { useIsCompact } from '#gallery/ui/use-media.ts'
import { isShownIn } from '#gallery/uploads/upload-target.ts'
import { currentPlace, goTo } from '#gallery/url/use-place.ts'
import { TrayHeader } from './tray-header.tsx'
import { announcementOf } from './tray-summary.ts'
import { UploadList } from './upload-list.tsx'

/** The panel with the progress of all uploads, if there are any. Restores unfinished uploads of an earlier page. */
export function UploadTray() {
  const { uploads } = useGallery()
  const isEmpty = useUploads().length === 0
  const isReading = useIsReading()
  useLeaveWarning()
  useFinishedToasts()
  useRetryOnReconnect()
  useEffect(() => {
    void uploads.restore()
  }, [uploads])
  return (
    <>
      <UploadsAnnouncer />
      {(!isEmpty || isReading) && <Tray />}
    </>
  )
}

function Tray() {
  const isCompact = useIsCompact()
  const [isFolded, setFolded] = useState(isCompact)
  const { left, share, failed } = useUploadTally()
  return (
    <section
      {...focusFallback}
      aria-label="Uploads"
      className="overflow-hidden rounded-lg border border-line bg-raised shadow-floating"
    >
      <TrayHeader isFolded={isFolded} onFold={setFolded} />
      {left > 0 && (
        <Progress.Root value={Math.round(share * 100)} aria-label="All uploads">
          <Progress.Track className="block h-1 bg-sunken">
            <Progress.Indicator className="block h-full bg-accent transition-[width]" />
          </Progress.Track>
        </Progress.Root>
      )}
      {left === 0 && failed > 0 && <div className="h-1 bg-danger" />}
      {!isFolded && (
        <div className="border-line border-t">
          <UploadList />
          <TrayActions />
        </div>
      )}
    </section>
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

/** Buttons for bulk actions. Shows only the actions that apply. */
function TrayActions() {
  const { uploads } = useGallery()
  const { canRetry, left, done, known, canMove, failed, cancelled } = useUploadTally()
  const settled = done + failed + cancelled
  if (canRetry === 0 && left === 0 && known === 0) return null
  return (
    <footer className="flex flex-wrap justify-end gap-2 border-line border-t px-3 py-2">
      {left > 0 && settled > 0 && (
        <Button tone="quiet" onClick={() => uploads.clearFinished()}>
          Clear finished
        </Button>
      )}
      {known > 0 && (
        <>
          <Button tone="quiet" onClick={() => uploads.skipDuplicates(uploads.duplicateIds())}>
            Skip duplicates
          </Button>
          {canMove > 0 && (
            <Button onClick={() => uploads.moveExistingImages(uploads.movable())}>
              Move {canMove === 1 ? 'the existing image' : 'existing images'} here
            </Button>
          )}
          <Button onClick={() => uploads.uploadDuplicates(uploads.duplicateIds())}>
            Upload anyway
          </Button>
        </>
      )}
      {canRetry > 0 && <Button onClick={() => uploads.retryFailed()}>Retry failed</Button>}
      {left > 0 && <Button onClick={() => uploads.cancelAll()}>Cancel all</Button>}
    </footer>
  )
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
