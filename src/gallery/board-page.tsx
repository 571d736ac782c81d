import { type ComponentProps, type ReactNode, useEffect, useMemo, useState } from 'react'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { isFiltered } from '#contract/image-filter.ts'
import { viewOf } from '#gallery/api/images/image-windows.ts'
import { nounOfView } from '#gallery/api/images/noun.ts'
import type { UploadTarget } from '#gallery/api/uploads/upload.ts'
import { EmptyBoard, MissingBoard, NoStarredImages } from '#gallery/boards/board-empty-states.tsx'
import type { ImagesToMove } from '#gallery/boards/board-palette.tsx'
import { SaveSearch, useOpenSearch } from '#gallery/boards/searches/save-search.tsx'
import {
  useBoardName,
  useBoards,
  useIsBoardMissing,
  useItemCount,
  useVideoCount,
} from '#gallery/boards/use-boards.ts'
import { FacetsButton } from '#gallery/facets/facets-button.tsx'
import { FacetsDock } from '#gallery/facets/facets-dock.tsx'
import { FilterChip, FilterMenu } from '#gallery/images/filter-menu.tsx'
import { ImagesPane } from '#gallery/images/images-pane.tsx'
import { useViewTotal } from '#gallery/images/place/use-view-total.ts'
import { TileOptions, useTileCommands } from '#gallery/images/tile-options.tsx'
import { type MoveRequest, useBoardGrid } from '#gallery/images/use-image-actions.ts'
import { ImportButton, useImportCommands } from '#gallery/imports/import-button.tsx'
import { useFollowCommand, useScrollTarget } from '#gallery/progress/follow-switch.tsx'
import { GenerationTile } from '#gallery/progress/generation-tile.tsx'
import { MoreTile } from '#gallery/progress/making-tile.tsx'
import { useComingImages } from '#gallery/progress/use-coming-images.ts'
import { openQueue } from '#gallery/queue/queue-store.ts'
import { ConditionChips } from '#gallery/search/condition-chips.tsx'
import { SearchBox } from '#gallery/search/search-box.tsx'
import { AddMenu } from '#gallery/shell/add-menu.tsx'
import { PageHeader } from '#gallery/shell/page-header.tsx'
import { useOrderCommands } from '#gallery/shell/use-setting-commands.ts'
import { DefaultOptions, OrderOptions, ViewOptions } from '#gallery/shell/view-options.tsx'
import { AllInTrash } from '#gallery/trash/all-in-trash.tsx'
import { UploadButton, useUploadCommands } from '#gallery/uploads/upload-button.tsx'
import { STARRED } from '#gallery/url/place.ts'
import { ALL_BOARDS } from '#gallery/url/place-order.ts'
import { usePlace } from '#gallery/url/use-place.ts'
import { useDemoCommands, Welcome } from '#gallery/welcome/welcome.tsx'

interface BoardPageProps {
  /** Temporary messages of the page. */
  notes: ReactNode
  uploadTarget: UploadTarget
  onMove: (images: ImagesToMove) => void
}

/** The page of one board, Assets, the starred images or all images. */
export function BoardPage({ notes, uploadTarget: target, onMove }: BoardPageProps) {
  const place = usePlace()
  const view = useMemo(() => viewOf(place), [place])
  const boards = useBoards()
  const boardName = useBoardName(place.board)
  const name = useOpenSearch()?.name ?? boardName
  const [lastSeen, setLastSeen] = useState<{ board: string; name: string } | null>(null)
  if (name !== null && (lastSeen?.board !== place.board || lastSeen.name !== name)) {
    setLastSeen({ board: place.board, name })
  }
  const isMissing = useIsBoardMissing(place.board)
  const deletedName = isMissing && lastSeen?.board === place.board ? lastSeen.name : null
  // Header and sidebar use the same count of an unfiltered place, so that they agree.
  const isWhole = view.query === '' && !isFiltered(view)
  const count = useItemCount(place.board)
  const total = useViewTotal(view)
  const itemCount = isMissing ? undefined : isWhole ? (count ?? total) : total
  const videoCount = useVideoCount(place.board)
  const noun = nounOfView(view, { itemCount: count, videoCount })
  const importOptions = { boardName: target.boardId === null ? null : target.label }
  const addCommands = [
    ...useUploadCommands(target),
    ...useImportCommands(importOptions),
    ...useDemoCommands(),
  ]
  useOrderCommands()
  useTileCommands()
  useFollowCommand()
  useEffect(() => {
    document.title = name === null ? 'Tessera' : `${name} · Tessera`
  }, [name])

  return (
    <main
      aria-label={name ?? deletedName ?? 'Board'}
      tabIndex={-1}
      className="-outline-offset-2 flex min-h-0 flex-1 flex-col"
    >
      <PageHeader
        title={name ?? deletedName ?? (isMissing ? 'Board not found' : '\u00a0')}
        description={boards?.find(({ board_id }) => board_id === place.board)?.description ?? ''}
        itemCount={itemCount}
        noun={noun}
        filter={filter}
        view={viewChoices}
        actions={<AddMenu commands={addCommands} />}
        below={conditions}
      />
      {notes}
      {isMissing && <MissingBoard boardId={place.board} name={deletedName} />}
      {!isMissing && (
        <FacetsDock view={view} noun={noun}>
          <BoardImages
            view={view}
            noun={noun}
            onMove={onMove}
            empty={
              place.board === ALL_BOARDS ? (
                <AllInTrash>
                  <Welcome
                    uploadButton={<UploadButton target={target} />}
                    importButton={<ImportButton options={importOptions} />}
                  />
                </AllInTrash>
              ) : place.board === STARRED ? (
                <NoStarredImages />
              ) : (
                <EmptyBoard
                  isUncategorized={place.board === UNCATEGORIZED_BOARD_ID}
                  actions={
                    <>
                      <UploadButton target={target} tone="plain" />
                      <ImportButton options={importOptions} />
                    </>
                  }
                />
              )
            }
          />
        </FacetsDock>
      )}
    </main>
  )
}

/** Constant elements: new images, which arrive many times per second, re-render only the title. */
const conditions = <ConditionChips />
const filter = (
  <>
    <FilterChip />
    <SaveSearch />
  </>
)
const viewChoices = (
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

interface BoardImagesProps
  extends Pick<ComponentProps<typeof ImagesPane>, 'view' | 'noun' | 'empty'> {
  onMove: (request: MoveRequest) => void
}

/** The images with running generations. A separate component, so that progress updates re-render nothing else. */
function BoardImages({ onMove, ...props }: BoardImagesProps) {
  const kind = useBoardGrid(onMove)
  const scrollTarget = useScrollTarget()
  const coming = useComingImages(props.view)
  const viewGenerations = useMemo(
    () => ({ ...coming, Tile: GenerationTile, More: MoreOfQueue }),
    [coming],
  )
  return (
    <ImagesPane
      {...props}
      kind={kind}
      viewGenerations={viewGenerations}
      scrollTarget={scrollTarget}
    />
  )
}

const MoreOfQueue = (props: Omit<ComponentProps<typeof MoreTile>, 'onOpenQueue'>) => (
  <MoreTile {...props} onOpenQueue={openQueue} />
)
