import { type ComponentProps, type ReactNode, useEffect, useMemo, useState } from 'react'
import { isFiltered } from '#contract/image-filter.ts'
import { viewOf } from '#gallery/api/images/image-windows.ts'
import { nounOfView } from '#gallery/api/images/noun.ts'
import type { UploadTarget } from '#gallery/api/uploads/upload.ts'
import type { ImagesToMove } from '#gallery/boards/board-palette.tsx'
import { useOpenSearch } from '#gallery/boards/searches/search-store.ts'
import {
  useBoardName,
  useBoards,
  useIsBoardMissing,
  useItemCount,
  useVideoCount,
} from '#gallery/boards/use-boards.ts'
import { FacetsDock } from '#gallery/facets/facets-dock.tsx'
import { ImagesPane } from '#gallery/images/images-pane.tsx'
import { useViewTotal } from '#gallery/images/place/use-view-total.ts'
import { type MoveRequest, useBoardGrid } from '#gallery/images/use-image-actions.ts'
import { useScrollTarget } from '#gallery/progress/follow-switch.tsx'
import { GenerationTile } from '#gallery/progress/generation-tile.tsx'
import { MoreTile } from '#gallery/progress/making-tile.tsx'
import { useComingImages } from '#gallery/progress/use-coming-images.ts'
import { openQueue } from '#gallery/queue/queue-store.ts'
import { PageHeader } from '#gallery/shell/page-header.tsx'
import { usePlace } from '#gallery/url/use-place.ts'
import { useRest } from './rest.tsx'

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
  const rest = useRest()
  const isSearch = view.query !== ''
  // Memoized: new images, which arrive many times per second, re-render only the title.
  const parts = useMemo(
    () => ({
      chips: rest && <rest.TitleChips />,
      controls: rest ? <rest.BoardControls /> : <ControlsComing />,
      conditions: rest ? <rest.ConditionChips /> : isSearch && <ChipsComing />,
    }),
    [rest, isSearch],
  )
  const importOptions = { boardName: target.boardId === null ? null : target.label }
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
        filter={parts.chips}
        view={parts.controls}
        actions={rest && <rest.AddMenu target={target} importOptions={importOptions} />}
        below={parts.conditions}
      />
      {notes}
      {isMissing && rest && <rest.NoBoard boardId={place.board} name={deletedName} />}
      {!isMissing && (
        <FacetsDock view={view} noun={noun}>
          <BoardImages
            view={view}
            noun={noun}
            onMove={onMove}
            empty={rest && <rest.NoImagesYet board={place.board} {...{ target, importOptions }} />}
          />
        </FacetsDock>
      )}
    </main>
  )
}

// Placeholders of the same height, so that the images do not move when the rest of the page is loaded.
const ControlsComing = () => <div className="h-9 flex-1 pointer-coarse:h-11" />
const ChipsComing = () => <div className="h-10 pointer-coarse:h-13" />

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
