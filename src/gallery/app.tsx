// Before the rest of the page, because it follows the theme of the system.
import '#gallery/ui/theme.ts'
import { Keyboard, Redo2, Undo2 } from 'lucide-react'
import { type ComponentProps, Suspense, useCallback, useEffect, useState } from 'react'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useReachability } from '#gallery/api/connection/reachability.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { GalleryProvider, useGallery } from '#gallery/api/gallery-context.tsx'
import { useCanRedo, useCanUndo } from '#gallery/api/journal/journal.ts'
import type { ImagesToMove } from '#gallery/boards/board-palette.tsx'
import { useBoardName, useIsBoardMissing } from '#gallery/boards/use-boards.ts'
import { HistoryDock } from '#gallery/history/history-dock.tsx'
import { createPictures, PicturesContext } from '#gallery/images/tiles/pictures.ts'
import { QueueDock } from '#gallery/queue/queue-dock.tsx'
import { ErrorBoundary } from '#gallery/shell/error-boundary.tsx'
import { guideCommand } from '#gallery/shell/guide.ts'
import { PageLayout } from '#gallery/shell/page-layout.tsx'
import { PaletteComing } from '#gallery/shell/palette-coming.tsx'
import { SidebarTop } from '#gallery/shell/sidebar-top.tsx'
import { UnknownPage } from '#gallery/shell/unknown-page.tsx'
import { usePalette } from '#gallery/shell/use-palette.ts'
import type { Command } from '#gallery/ui/commands/command.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { useFocusGuard } from '#gallery/ui/keys/focus.ts'
import { Tooltips } from '#gallery/ui/popups/tooltip.tsx'
import { Toaster } from '#gallery/ui/toasts/toast.tsx'
import { PageDropZone } from '#gallery/uploads/drop/page-drop-zone.tsx'
import { uploadTargetOf } from '#gallery/uploads/upload-target.ts'
import { DUPLICATES, TRASH } from '#gallery/url/place-order.ts'
import { useIsUnknownPath, usePlace } from '#gallery/url/use-place.ts'
import { BoardPage } from './board-page.tsx'
import { DuplicatesPage, InsightsPage, LockedNotice, SignIn, TrashPage } from './lazy-pages.ts'
import { RestProvider, useRest } from './rest.tsx'

interface AppProps {
  api: GalleryApi
  /** Resolves when the rest of the page may be loaded. */
  restAfter: () => Promise<unknown>
}

/** Composes the page from its features: first the images, then the rest of the page around them. */
export function App({ api, restAfter }: AppProps) {
  const [pictures] = useState(createPictures)
  return (
    <ErrorBoundary>
      <GalleryProvider api={api}>
        <RestProvider restAfter={restAfter}>
          <PicturesContext value={pictures}>
            <Page />
          </PicturesContext>
        </RestProvider>
        <Toaster />
        <Tooltips />
      </GalleryProvider>
    </ErrorBoundary>
  )
}

function Page() {
  const { uploads } = useGallery()
  const rest = useRest()
  const place = usePlace()
  const boardName = useBoardName(place.board)
  const uploadBoard = useIsBoardMissing(place.board) ? UNCATEGORIZED_BOARD_ID : place.board
  const uploadTarget = uploadTargetOf(uploadBoard, boardName ?? undefined)
  const [isShowingKeys, setIsShowingKeys] = useState(false)
  const showKeys = useCallback(() => setIsShowingKeys(true), [])
  const [imagesToMove, setImagesToMove] = useState<ImagesToMove | null>(null)
  const palette = usePalette(rest !== null)
  const { kind } = useReachability()
  useFocusGuard()
  usePageCommands(showKeys)
  useEffect(() => {
    void uploads.restore()
  }, [uploads])
  if (kind === 'locked' || kind === 'signed out') {
    return <Suspense>{kind === 'locked' ? <LockedNotice /> : <SignIn />}</Suspense>
  }

  return (
    <PageDropZone target={uploadTarget}>
      <PageLayout
        sidebar={
          rest ? (
            <rest.PageSidebar onShowKeys={showKeys} onShowPalette={palette.open} />
          ) : (
            <SidebarTop />
          )
        }
      >
        <HistoryDock>
          <QueueDock options={rest && <rest.QueueOptions />}>
            <OpenPage
              notes={rest && <rest.Notes />}
              uploadTarget={uploadTarget}
              onMove={setImagesToMove}
            />
            {rest && <rest.CornerCards />}
          </QueueDock>
        </HistoryDock>
      </PageLayout>
      {rest ? (
        <rest.Overlays
          palette={palette.content}
          onClosePalette={palette.close}
          isShowingKeys={isShowingKeys}
          onCloseKeys={() => setIsShowingKeys(false)}
          imagesToMove={imagesToMove}
          onMove={setImagesToMove}
        />
      ) : (
        <>
          {palette.isComing && <PaletteComing onClose={palette.close} />}
          {imagesToMove !== null && <PaletteComing onClose={() => setImagesToMove(null)} />}
        </>
      )}
    </PageDropZone>
  )
}

/** The page of the place in the URL. */
function OpenPage({ notes, uploadTarget, onMove }: ComponentProps<typeof BoardPage>) {
  const { board, page } = usePlace()
  const isUnknownPath = useIsUnknownPath()
  const hasTrash = useHasExtension('trash')
  const hasInsights = useHasExtension('image_insights')
  const hasDuplicates = useHasExtension('duplicates')
  if (isUnknownPath) return <UnknownPage />
  if (board === TRASH && hasTrash) {
    return (
      <Suspense fallback={<PageComing label="Trash" />}>
        <TrashPage notes={notes} onMove={onMove} />
      </Suspense>
    )
  }
  if (page === 'insights' && hasInsights) {
    return (
      <Suspense fallback={<PageComing label="Insights" />}>
        <InsightsPage notes={notes} />
      </Suspense>
    )
  }
  if (board === DUPLICATES && hasDuplicates) {
    return (
      <Suspense fallback={<PageComing label="Duplicates" />}>
        <DuplicatesPage notes={notes} />
      </Suspense>
    )
  }
  return <BoardPage notes={notes} uploadTarget={uploadTarget} onMove={onMove} />
}

const PageComing = ({ label }: { label: string }) => (
  <main aria-label={label} aria-busy tabIndex={-1} className="flex-1" />
)

/** Registers the commands that work on all pages, also over dialogs: Undo restores an image that the viewer deleted. */
function usePageCommands(onShowKeys: () => void): void {
  const { journal } = useGallery()
  const canUndo = useCanUndo()
  const canRedo = useCanRedo()
  const undo: Command = {
    id: 'undo',
    keys: '$mod+z',
    label: 'Undo',
    icon: Undo2,
    run: () => void journal.undoLast(),
  }
  const redo: Command = {
    id: 'redo',
    keys: ['$mod+Shift+z', '$mod+y'],
    label: 'Redo',
    icon: Redo2,
    run: () => void journal.redoLast(),
  }
  const keys: Command = {
    id: 'keys',
    keys: 'Shift+?',
    label: 'Keyboard shortcuts',
    icon: Keyboard,
    run: onShowKeys,
  }
  useCommands('Anywhere', [undo, redo, keys, guideCommand], {
    within: () => document.body,
    now: () => [
      { ...undo, disabledReason: canUndo ? undefined : 'Nothing to undo' },
      { ...redo, disabledReason: canRedo ? undefined : 'Nothing to redo' },
      keys,
      guideCommand,
    ],
  })
}
