import '#gallery/compare/compare-keys.ts'
import '#gallery/duplicates/group-keys.ts'
import '#gallery/lightbox/viewer-keys.ts'
import { type ComponentProps, Suspense, useCallback, useEffect, useMemo } from 'react'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import {
  closeDownloadDialog,
  openDownloadDialog,
  requestOfBoard,
  useDownloadRequest,
} from '#gallery/api/downloads/download-request.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { closeComparison, useCompareRequest } from '#gallery/api/images/compare-request.ts'
import { viewOf } from '#gallery/api/images/image-windows.ts'
import { closeProcessDialog, useProcessRequest } from '#gallery/api/process/process-request.ts'
import { closeTagDialog, useTagRequest } from '#gallery/api/tags/tag-request.ts'
import type { UploadTarget } from '#gallery/api/uploads/upload.ts'
import { EmptyBoard, MissingBoard, NoStarredImages } from '#gallery/boards/board-empty-states.tsx'
import type { BoardFiles } from '#gallery/boards/board-files.ts'
import { useBoardListCommands, usePalettePlaces } from '#gallery/boards/board-list-commands.ts'
import { closeGroupDialog, useGroupDialog } from '#gallery/boards/board-list-store.ts'
import type { ImagesToMove } from '#gallery/boards/board-palette.tsx'
import { BoardsNav } from '#gallery/boards/boards-nav.tsx'
import { DeleteBoardDialog } from '#gallery/boards/dialogs/delete-board-dialog.tsx'
import { DescriptionDialog } from '#gallery/boards/dialogs/description-dialog.tsx'
import { SaveSearch } from '#gallery/boards/searches/save-search.tsx'
import { closeSearchDialog, useSearchDialog } from '#gallery/boards/searches/search-store.ts'
import { closeTagRenaming, useTagToRename } from '#gallery/boards/tags/tag-store.ts'
import { useBoardNames } from '#gallery/boards/use-boards.ts'
import { FacetsButton } from '#gallery/facets/facets-button.tsx'
import { BulkTray } from '#gallery/history/bulk-tray.tsx'
import { HistoryButton } from '#gallery/history/history-button.tsx'
import { useOutboxToasts } from '#gallery/history/use-outbox-toasts.ts'
import { downloadBoard } from '#gallery/images/download-images.ts'
import { FilterChip, FilterMenu } from '#gallery/images/filter-menu.tsx'
import { countToAssets } from '#gallery/images/grid-state.ts'
import { imageCommands, keyState } from '#gallery/images/image-commands.ts'
import { useHasSeveralSelected } from '#gallery/images/selection/selection-store.ts'
import { TileOptions, useTileCommands } from '#gallery/images/tile-options.tsx'
import {
  comparedWith,
  type ImageActions,
  trashViewerActionsOf,
  type ViewerActionsOptions,
  viewerActionsOf,
} from '#gallery/images/use-image-actions.ts'
import { ImportButton, useImportCommands } from '#gallery/imports/import-button.tsx'
import { ImportCards } from '#gallery/imports/import-cards.tsx'
import {
  closeImportDialog,
  type ImportDialogOptions,
  useImportDialogOptions,
} from '#gallery/imports/import-store.ts'
import { RereadCard } from '#gallery/imports/reread-card.tsx'
import type { ViewerCommands } from '#gallery/lightbox/viewer.tsx'
import { useWorkToasts } from '#gallery/process/use-work-toasts.ts'
import { FollowGenerations } from '#gallery/progress/follow-generations.ts'
import { FollowSwitch, useFollowCommand } from '#gallery/progress/follow-switch.tsx'
import { GenerationAnnouncer } from '#gallery/progress/generation-announcer.tsx'
import { QueueButton } from '#gallery/queue/queue-button.tsx'
import { ConditionChips as SearchConditionChips } from '#gallery/search/condition-chips.tsx'
import { SearchBox } from '#gallery/search/search-box.tsx'
import { AddMenu as AddMenuOfCommands } from '#gallery/shell/add-menu.tsx'
import {
  LimitBanner,
  ReadOnlyBanner,
  StorageBanner,
  UnreachableBanner,
  UpstreamBanner,
} from '#gallery/shell/banners.tsx'
import { OutboxAnnouncer, OutboxStatus } from '#gallery/shell/outbox-status.tsx'
import { PageCorner } from '#gallery/shell/page-corner.tsx'
import { PageNotes } from '#gallery/shell/page-layout.tsx'
import { DialogComing, PaletteComing } from '#gallery/shell/palette-coming.tsx'
import { Sidebar } from '#gallery/shell/sidebar.tsx'
import type { PaletteContent } from '#gallery/shell/use-palette.ts'
import { useOrderCommands, useThemeCommands } from '#gallery/shell/use-setting-commands.ts'
import { DefaultOptions, OrderOptions, ViewOptions } from '#gallery/shell/view-options.tsx'
import { AllInTrash } from '#gallery/trash/all-in-trash.tsx'
import { askToDelete } from '#gallery/trash/delete-for-good.tsx'
import { canCopyPictures } from '#gallery/ui/copy-text.ts'
import { useIsCompact } from '#gallery/ui/use-media.ts'
import { FileDropZone } from '#gallery/uploads/drop/file-drop-zone.tsx'
import { FolderQuestion } from '#gallery/uploads/drop/folder-question.tsx'
import { useHasShares } from '#gallery/uploads/shared-files.ts'
import { UploadTray } from '#gallery/uploads/tray/upload-tray.tsx'
import { pickFiles, UploadButton, useUploadCommands } from '#gallery/uploads/upload-button.tsx'
import { uploadTargetOf } from '#gallery/uploads/upload-target.ts'
import { STARRED } from '#gallery/url/place.ts'
import { ALL_BOARDS, TRASH } from '#gallery/url/place-order.ts'
import { currentPlace, goTo, usePlace } from '#gallery/url/use-place.ts'
import { DemoProgress, useDemoCommands, Welcome } from '#gallery/welcome/welcome.tsx'
import {
  BoardPalette,
  CommandPalette,
  Comparison,
  DownloadDialog,
  GroupDialogs,
  ImportDialog,
  KeysDialog,
  Lightbox,
  ProcessDialog,
  preloadLazyParts,
  RenameTagDialog,
  SearchDialog,
  SharedFilesDialog,
  TagDialog,
} from './lazy-parts.ts'
import { useViewerTransition } from './use-viewer-transition.ts'

interface PageSidebarProps {
  onShowKeys: () => void
  onShowPalette: () => void
}

export function PageSidebar(props: PageSidebarProps) {
  const api = useGallery()
  const boardFiles = useMemo(() => boardFilesOf(api), [api])
  return (
    <Sidebar
      {...props}
      status={<OutboxStatus look="line" />}
      queueButton={<QueueButton />}
      historyButton={<HistoryButton />}
    >
      <BoardsNav files={boardFiles} />
    </Sidebar>
  )
}

/** The temporary messages of the page. */
export const Notes = () => (
  <PageNotes>
    <UnreachableBanner />
    <UpstreamBanner />
    <ReadOnlyBanner />
    <LimitBanner />
    <StorageBanner />
    {useIsCompact() && <OutboxStatus look="note" />}
    <DemoProgress />
  </PageNotes>
)

/** The filter of a board beside its title. */
export const TitleChips = () => (
  <>
    <FilterChip />
    <SaveSearch />
  </>
)

/** The conditions of the search. */
export const ConditionChips = () => <SearchConditionChips />

/** Search, filter and view options of a board. */
export function BoardControls() {
  useOrderCommands()
  useTileCommands()
  useFollowCommand()
  return (
    <>
      <SearchBox />
      <FilterMenu />
      <FacetsButton />
      <ViewOptions>
        <OrderOptions />
        <hr className="border-line" />
        <TileOptions />
        <DefaultOptions />
      </ViewOptions>
    </>
  )
}

interface AddingProps {
  target: UploadTarget
  importOptions: ImportDialogOptions
}

/** The button for everything that adds images to a board. */
export const AddMenu = ({ target, importOptions }: AddingProps) => (
  <AddMenuOfCommands
    commands={[
      ...useUploadCommands(target),
      ...useImportCommands(importOptions),
      ...useDemoCommands(),
    ]}
  />
)

/** Stands for the images of a place that has none. */
export function NoImagesYet({ board, target, importOptions }: AddingProps & { board: string }) {
  const importButton = <ImportButton options={importOptions} />
  if (board === STARRED) return <NoStarredImages />
  if (board === ALL_BOARDS) {
    return (
      <AllInTrash>
        <Welcome uploadButton={<UploadButton target={target} />} importButton={importButton} />
      </AllInTrash>
    )
  }
  return (
    <EmptyBoard
      isUncategorized={board === UNCATEGORIZED_BOARD_ID}
      actions={
        <>
          <UploadButton target={target} tone="plain" />
          {importButton}
        </>
      }
    />
  )
}

/** Stands for a board that does not exist. */
export const NoBoard = (props: ComponentProps<typeof MissingBoard>) => <MissingBoard {...props} />

/** The settings at the top of the queue. */
export const QueueOptions = () => <FollowSwitch />

/** The cards in the corner of the page. */
export const CornerCards = () => (
  <PageCorner>
    <RereadCard />
    <ImportCards />
    <BulkTray nameOfBoard={useBoardNames()} />
    <UploadTray />
  </PageCorner>
)

interface OverlaysProps {
  /** The content of the command palette; `null`: closed. */
  palette: PaletteContent | null
  onClosePalette: () => void
  isShowingKeys: boolean
  onCloseKeys: () => void
  /** The images for which the user chooses a board; `null`: none. */
  imagesToMove: ImagesToMove | null
  onMove: (images: ImagesToMove | null) => void
}

/** The viewer, the dialogs and the palettes, and all that has no place on the page. */
export function Overlays(props: OverlaysProps) {
  const { palette, onClosePalette, isShowingKeys, onCloseKeys, imagesToMove, onMove } = props
  const api = useGallery()
  const place = usePlace()
  const nameOfBoard = useBoardNames()
  const commandsInViewer = useMemo(
    () => ({
      board: viewerCommands(api, (viewed) => viewerActionsOf({ ...viewed, onMove })),
      trash: viewerCommands(api, (viewed) =>
        trashViewerActionsOf({ ...viewed, onDelete: askToDelete, onMove }),
      ),
    }),
    [api, onMove],
  )
  const viewedImage = useViewerTransition(place.image)
  const compared = useCompareRequest()
  const imagesToProcess = useProcessRequest()
  const imagesToDownload = useDownloadRequest()
  const imagesToTag = useTagRequest()
  const importOptions = useImportDialogOptions()
  const searchToName = useSearchDialog()
  const groupDialog = useGroupDialog()
  const tagToRename = useTagToRename()
  const hasShares = useHasShares()
  const places = usePalettePlaces()
  useBoardListCommands()
  useThemeCommands()
  useOutboxToasts()
  useWorkToasts()
  useEffect(preloadLazyParts, [])
  const hasSeveralSelected = useHasSeveralSelected()
  useEffect(() => {
    // They may be compared before the lazy parts are loaded.
    if (hasSeveralSelected) void Comparison.preload().catch(() => undefined)
  }, [hasSeveralSelected])
  const closeMoving = useCallback(() => onMove(null), [onMove])
  return (
    <>
      <OutboxAnnouncer />
      <GenerationAnnouncer nameOfBoard={nameOfBoard} />
      <FollowGenerations nameOfBoard={nameOfBoard} />
      <Suspense>
        {viewedImage !== null && (
          <Lightbox
            view={viewOf(place)}
            imageName={viewedImage}
            commandsOf={commandsInViewer[place.board === TRASH ? 'trash' : 'board']}
          />
        )}
      </Suspense>
      <Suspense fallback={<DialogComing onClose={closeComparison} />}>
        {compared !== null && <Comparison request={compared} commandsOf={commandsInViewer.board} />}
      </Suspense>
      <Suspense fallback={<PaletteComing onClose={closeMoving} />}>
        {imagesToMove !== null && <BoardPalette images={imagesToMove} onClose={closeMoving} />}
      </Suspense>
      <Suspense fallback={<DialogComing onClose={closeDownloadDialog} />}>
        {imagesToDownload !== null && <DownloadDialog request={imagesToDownload} />}
      </Suspense>
      <Suspense fallback={<PaletteComing onClose={closeTagDialog} />}>
        {imagesToTag !== null && <TagDialog images={imagesToTag} />}
      </Suspense>
      <Suspense fallback={<DialogComing onClose={closeProcessDialog} />}>
        {imagesToProcess !== null && <ProcessDialog images={imagesToProcess} />}
      </Suspense>
      <Suspense fallback={<DialogComing onClose={closeImportDialog} />}>
        {importOptions !== null && <ImportDialog options={importOptions} />}
      </Suspense>
      <Suspense>{hasShares && <SharedFilesDialog BoardPalette={BoardPalette} />}</Suspense>
      <FolderQuestion />
      <DeleteBoardDialog onDeleted={leaveBoard} />
      <Suspense
        fallback={
          groupDialog?.kind === 'rename' ? (
            <PaletteComing isDialog onClose={closeGroupDialog} />
          ) : (
            <DialogComing onClose={closeGroupDialog} />
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
      <Suspense fallback={<PaletteComing onClose={onClosePalette} />}>
        {palette !== null && (
          <CommandPalette content={palette} places={places} onClose={onClosePalette} />
        )}
      </Suspense>
      <Suspense fallback={<DialogComing onClose={onCloseKeys} />}>
        {isShowingKeys && <KeysDialog isOpen onClose={onCloseKeys} />}
      </Suspense>
    </>
  )
}

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
