import '#gallery/compare/compare-keys.ts'
import '#gallery/duplicates/group-keys.ts'
import '#gallery/lightbox/viewer-keys.ts'
import { Keyboard, Redo2, Undo2 } from 'lucide-react'
import { Suspense, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useReachability } from '#gallery/api/connection/reachability.ts'
import {
  openDownloadDialog,
  requestOfBoard,
  useDownloadRequest,
} from '#gallery/api/downloads/download-request.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { GalleryProvider, useGallery } from '#gallery/api/gallery-context.tsx'
import { useCompareRequest } from '#gallery/api/images/compare-request.ts'
import { viewOf } from '#gallery/api/images/image-windows.ts'
import { useCanRedo, useCanUndo } from '#gallery/api/journal/journal.ts'
import { useProcessRequest } from '#gallery/api/process/process-request.ts'
import { closeTagDialog, useTagRequest } from '#gallery/api/tags/tag-request.ts'
import type { BoardFiles } from '#gallery/boards/board-files.ts'
import { useBoardListCommands, usePalettePlaces } from '#gallery/boards/board-list-commands.ts'
import { closeGroupDialog, useGroupDialog } from '#gallery/boards/board-list-store.ts'
import type { ImagesToMove } from '#gallery/boards/board-palette.tsx'
import { BoardsNav } from '#gallery/boards/boards-nav.tsx'
import { DeleteBoardDialog } from '#gallery/boards/dialogs/delete-board-dialog.tsx'
import { DescriptionDialog } from '#gallery/boards/dialogs/description-dialog.tsx'
import { closeSearchDialog, useSearchDialog } from '#gallery/boards/searches/search-store.ts'
import { closeTagRenaming, useTagToRename } from '#gallery/boards/tags/tag-store.ts'
import { useBoardName, useBoardNames, useIsBoardMissing } from '#gallery/boards/use-boards.ts'
import { BulkTray } from '#gallery/history/bulk-tray.tsx'
import { HistoryButton } from '#gallery/history/history-button.tsx'
import { HistoryDock } from '#gallery/history/history-dock.tsx'
import { useOutboxToasts } from '#gallery/history/use-outbox-toasts.ts'
import { downloadBoard } from '#gallery/images/download-images.ts'
import { countToAssets } from '#gallery/images/grid-state.ts'
import { imageCommands, keyState } from '#gallery/images/image-commands.ts'
import { useHasSeveralSelected } from '#gallery/images/selection/selection-store.ts'
import { createPictures, PicturesContext } from '#gallery/images/tiles/pictures.ts'
import {
  comparedWith,
  type ImageActions,
  trashViewerActionsOf,
  type ViewerActionsOptions,
  viewerActionsOf,
} from '#gallery/images/use-image-actions.ts'
import { ImportCards } from '#gallery/imports/import-cards.tsx'
import { useImportDialogOptions } from '#gallery/imports/import-store.ts'
import { RereadCard } from '#gallery/imports/reread-card.tsx'
import type { ViewerCommands } from '#gallery/lightbox/viewer.tsx'
import { useWorkToasts } from '#gallery/process/use-work-toasts.ts'
import { FollowGenerations } from '#gallery/progress/follow-generations.ts'
import { FollowSwitch } from '#gallery/progress/follow-switch.tsx'
import { GenerationAnnouncer } from '#gallery/progress/generation-announcer.tsx'
import { QueueButton } from '#gallery/queue/queue-button.tsx'
import { QueueDock } from '#gallery/queue/queue-dock.tsx'
import {
  LimitBanner,
  ReadOnlyBanner,
  StorageBanner,
  UnreachableBanner,
  UpstreamBanner,
} from '#gallery/shell/banners.tsx'
import { ErrorBoundary } from '#gallery/shell/error-boundary.tsx'
import { guideCommand } from '#gallery/shell/guide.ts'
import { OutboxAnnouncer, OutboxStatus } from '#gallery/shell/outbox-status.tsx'
import { PageCorner } from '#gallery/shell/page-corner.tsx'
import { PageLayout, PageNotes } from '#gallery/shell/page-layout.tsx'
import { PaletteComing } from '#gallery/shell/palette-coming.tsx'
import { Sidebar } from '#gallery/shell/sidebar.tsx'
import { UnknownPage } from '#gallery/shell/unknown-page.tsx'
import { usePalette } from '#gallery/shell/use-palette.ts'
import { useThemeCommands } from '#gallery/shell/use-setting-commands.ts'
import { askToDelete } from '#gallery/trash/delete-for-good.tsx'
import type { Command } from '#gallery/ui/commands/command.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { canCopyPictures } from '#gallery/ui/copy-text.ts'
import { useFocusGuard } from '#gallery/ui/keys/focus.ts'
import { Tooltips } from '#gallery/ui/popups/tooltip.tsx'
import { Toaster } from '#gallery/ui/toasts/toast.tsx'
import { useIsCompact } from '#gallery/ui/use-media.ts'
import { FileDropZone } from '#gallery/uploads/drop/file-drop-zone.tsx'
import { FolderQuestion } from '#gallery/uploads/drop/folder-question.tsx'
import { PageDropZone } from '#gallery/uploads/drop/page-drop-zone.tsx'
import { useHasShares } from '#gallery/uploads/shared-files.ts'
import { UploadTray } from '#gallery/uploads/tray/upload-tray.tsx'
import { pickFiles } from '#gallery/uploads/upload-button.tsx'
import { uploadTargetOf } from '#gallery/uploads/upload-target.ts'
import { ALL_BOARDS, DUPLICATES, TRASH } from '#gallery/url/place-order.ts'
import { currentPlace, goTo, useIsUnknownPath, usePlace } from '#gallery/url/use-place.ts'
import { DemoProgress } from '#gallery/welcome/welcome.tsx'
import { BoardPage } from './board-page.tsx'
import {
  BoardPalette,
  CommandPalette,
  Comparison,
  DownloadDialog,
  DuplicatesPage,
  GroupDialogs,
  ImportDialog,
  InsightsPage,
  KeysDialog,
  Lightbox,
  LockedNotice,
  ProcessDialog,
  preloadLazyParts,
  RenameTagDialog,
  SearchDialog,
  SharedFilesDialog,
  SignIn,
  TagDialog,
  TrashPage,
} from './lazy-parts.ts'
import { useViewerTransition } from './use-viewer-transition.ts'

/** Composes the page from its features. */
export function App({ api }: { api: GalleryApi }) {
  const [pictures] = useState(createPictures)
  return (
    <ErrorBoundary>
      <GalleryProvider api={api}>
        <PicturesContext value={pictures}>
          <Page />
        </PicturesContext>
        <Toaster />
        <Tooltips />
      </GalleryProvider>
    </ErrorBoundary>
  )
}

function Page() {
  const api = useGallery()
  const place = usePlace()
  const isUnknownPath = useIsUnknownPath()
  const boardName = useBoardName(place.board)
  const uploadBoard = useIsBoardMissing(place.board) ? UNCATEGORIZED_BOARD_ID : place.board
  const uploadTarget = uploadTargetOf(uploadBoard, boardName ?? undefined)
  const [isShowingKeys, setIsShowingKeys] = useState(false)
  const [imagesToMove, setImagesToMove] = useState<ImagesToMove | null>(null)
  const closePalette = useCallback(() => setImagesToMove(null), [])
  const boardFiles = useMemo(() => boardFilesOf(api), [api])
  const commandsInViewer = useMemo(
    () => ({
      board: viewerCommands(api, (viewed) =>
        viewerActionsOf({ ...viewed, onMove: setImagesToMove }),
      ),
      trash: viewerCommands(api, (viewed) =>
        trashViewerActionsOf({ ...viewed, onDelete: askToDelete, onMove: setImagesToMove }),
      ),
    }),
    [api],
  )
  const compared = useCompareRequest()
  const imagesToProcess = useProcessRequest()
  const imagesToDownload = useDownloadRequest()
  const imagesToTag = useTagRequest()
  const importOptions = useImportDialogOptions()
  const searchToName = useSearchDialog()
  const hasShares = useHasShares()
  const isCompact = useIsCompact()
  const hasTrash = useHasExtension('trash')
  const hasInsights = useHasExtension('image_insights')
  const hasDuplicates = useHasExtension('duplicates')
  useEffect(preloadLazyParts, [])
  const hasSeveralSelected = useHasSeveralSelected()
  useEffect(() => {
    // They may be compared before the lazy parts are loaded.
    if (hasSeveralSelected) void Comparison.preload().catch(() => undefined)
  }, [hasSeveralSelected])
  useFocusGuard()
  useOutboxToasts()
  useWorkToasts()
  const nameOfBoard = useBoardNames()
  // Also over dialogs: Undo restores an image that was deleted in the lightbox.
  const canUndo = useCanUndo()
  const canRedo = useCanRedo()
  const undo: Command = {
    id: 'undo',
    keys: '$mod+z',
    label: 'Undo',
    icon: Undo2,
    run: () => void api.journal.undoLast(),
  }
  const redo: Command = {
    id: 'redo',
    keys: ['$mod+Shift+z', '$mod+y'],
    label: 'Redo',
    icon: Redo2,
    run: () => void api.journal.redoLast(),
  }
  const keys: Command = {
    id: 'keys',
    keys: 'Shift+?',
    label: 'Keyboard shortcuts',
    icon: Keyboard,
    run: () => setIsShowingKeys(true),
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
  useThemeCommands()
  const palette = usePalette()
  const places = usePalettePlaces()
  useBoardListCommands()
  // The images come first, then the rest of the page, such as the boards. The viewer waits too, because the grid must
  // know the viewed image when the viewer closes.
  const isRestShown = useDeferredValue(true, false)
  const viewedImage = useViewerTransition(place.image)
  const groupDialog = useGroupDialog()
  const tagToRename = useTagToRename()
  const { kind } = useReachability()
  if (kind === 'locked' || kind === 'signed out') {
    return <Suspense>{kind === 'locked' ? <LockedNotice /> : <SignIn />}</Suspense>
  }

  const notes = (
    <PageNotes>
      <UnreachableBanner />
      <UpstreamBanner />
      <ReadOnlyBanner />
      <LimitBanner />
      <StorageBanner />
      {isCompact && <OutboxStatus look="note" />}
      <DemoProgress />
    </PageNotes>
  )

  return (
    <PageDropZone target={uploadTarget}>
      <PageLayout
        sidebar={
          <Sidebar
            status={<OutboxStatus look="line" />}
            queueButton={<QueueButton />}
            historyButton={<HistoryButton />}
            onShowKeys={() => setIsShowingKeys(true)}
            onShowPalette={palette.open}
          >
            {isRestShown && <BoardsNav files={boardFiles} />}
          </Sidebar>
        }
      >
        <HistoryDock>
          <QueueDock options={followSwitch}>
            {isUnknownPath ? (
              <UnknownPage />
            ) : place.board === TRASH && hasTrash ? (
              <Suspense
                fallback={<main aria-label="Trash" aria-busy tabIndex={-1} className="flex-1" />}
              >
                <TrashPage notes={notes} onMove={setImagesToMove} />
              </Suspense>
            ) : place.page === 'insights' && hasInsights ? (
              <Suspense
                fallback={<main aria-label="Insights" aria-busy tabIndex={-1} className="flex-1" />}
              >
                <InsightsPage notes={notes} />
              </Suspense>
            ) : place.board === DUPLICATES && hasDuplicates ? (
              <Suspense
                fallback={
                  <main aria-label="Duplicates" aria-busy tabIndex={-1} className="flex-1" />
                }
              >
                <DuplicatesPage notes={notes} />
              </Suspense>
            ) : (
              <BoardPage notes={notes} uploadTarget={uploadTarget} onMove={setImagesToMove} />
            )}
            <PageCorner>
              <RereadCard />
              <ImportCards />
              <BulkTray nameOfBoard={nameOfBoard} />
              <UploadTray />
            </PageCorner>
          </QueueDock>
        </HistoryDock>
      </PageLayout>
      <OutboxAnnouncer />
      <GenerationAnnouncer nameOfBoard={nameOfBoard} />
      <FollowGenerations nameOfBoard={nameOfBoard} />
      <Suspense>
        {isRestShown && viewedImage !== null && (
          <Lightbox
            view={viewOf(place)}
            imageName={viewedImage}
            commandsOf={commandsInViewer[place.board === TRASH ? 'trash' : 'board']}
          />
        )}
      </Suspense>
      <Suspense fallback={<DialogComing />}>
        {compared !== null && <Comparison request={compared} commandsOf={commandsInViewer.board} />}
      </Suspense>
      <Suspense fallback={<PaletteComing onClose={closePalette} />}>
        {imagesToMove !== null && <BoardPalette images={imagesToMove} onClose={closePalette} />}
      </Suspense>
      <Suspense>
        {imagesToDownload !== null && <DownloadDialog request={imagesToDownload} />}
      </Suspense>
      <Suspense fallback={<PaletteComing onClose={closeTagDialog} />}>
        {imagesToTag !== null && <TagDialog images={imagesToTag} />}
      </Suspense>
      <Suspense>{imagesToProcess !== null && <ProcessDialog images={imagesToProcess} />}</Suspense>
      <Suspense>{importOptions !== null && <ImportDialog options={importOptions} />}</Suspense>
      <Suspense>{hasShares && <SharedFilesDialog BoardPalette={BoardPalette} />}</Suspense>
      <FolderQuestion />
      <DeleteBoardDialog onDeleted={leaveBoard} />
      <Suspense
        fallback={
          groupDialog?.kind === 'rename' ? (
            <PaletteComing isDialog onClose={closeGroupDialog} />
          ) : (
            <DialogComing />
          )
        }
      >
        {groupDialog !== null && <GroupDialogs onDeleted={leaveBoard} />}
      </Suspense>
      <DescriptionDialog />
      <Suspense fallback={<PaletteComing isDialog onClose={closeSearchDialog} />}>
        {searchToName !== null && <SearchDialog dialog={searchToName} />}
      </Suspense>
      <Suspense fallback={<PaletteComing isDialog onClose={closeTagRenaming} />}>
        {tagToRename !== null && <RenameTagDialog name={tagToRename} />}
      </Suspense>
      {palette.content !== null && (
        <Suspense fallback={<PaletteComing onClose={palette.close} />}>
          <CommandPalette content={palette.content} places={places} onClose={palette.close} />
        </Suspense>
      )}
      <Suspense fallback={<DialogComing />}>
        {isShowingKeys && <KeysDialog isOpen onClose={() => setIsShowingKeys(false)} />}
      </Suspense>
    </PageDropZone>
  )
}

const followSwitch = <FollowSwitch />

/** Stands for a dialog that loads, so that the keys that the user types into it run no commands of the page. */
const DialogComing = () => <div role="dialog" aria-label="Loading" aria-busy />

const boardFilesOf = (api: GalleryApi): BoardFiles => ({
  Zone: FileDropZone,
  upload: ({ board_id, board_name }) =>
    pickFiles(api.uploads, uploadTargetOf(board_id, board_name)),
  download: (board) => void downloadBoard(api, board),
  downloadAs: (board) => openDownloadDialog(requestOfBoard(api, board)),
})

const viewerCommands =
  (
    api: GalleryApi,
    actionsOf: (viewed: ViewerActionsOptions) => Partial<ImageActions>,
  ): ViewerCommands =>
  (image, { hasQueue, metadata, ...context }) =>
    imageCommands(actionsOf({ api, image, ...context }), {
      ...keyState({
        hasQueue,
        hasRatings: api.capabilities.has('ratings'),
        hasTags: api.capabilities.has('tags'),
        hasLikeness: api.capabilities.has('likeness'),
        canConvert: api.capabilities.has('download_options'),
      }),
      rating: image.rating,
      image,
      comparedCount: comparedWith(image, context.compared).length,
      areAllStarred: image.starred,
      hasVideos: image.video !== null,
      canCopyVideos: api.capabilities.has('copies'),
      toAssetsCount: image.deleted_at ? countToAssets(api, [image]) : 0,
      canCopyPictures: canCopyPictures(),
      metadata,
    })

/** Leaves the view of a deleted board. */
function leaveBoard({ board_id }: Board): void {
  if (currentPlace().board === board_id) goTo({ board: ALL_BOARDS, image: null, query: '' })
}
