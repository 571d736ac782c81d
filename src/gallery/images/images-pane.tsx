import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { type ComponentProps, type ReactNode, useMemo, useState } from 'react'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { ImageGrid } from '#gallery/images/grid/image-grid.tsx'
import { useViewTotal } from '#gallery/images/place/use-view-total.ts'
import { usePaste } from '#gallery/images/selection/use-cut-and-paste.ts'
import { Button } from '#gallery/ui/button.tsx'
import { Notice } from '#gallery/ui/notice.tsx'
import { formatCount } from '#gallery/ui/text/count.ts'
import { labelOfFilter } from '#gallery/url/place-filter.ts'
import { nameOfPart, partsOf, type SearchPart, withoutPart } from '#gallery/url/typed-conditions.ts'
import { clearFilter, goTo, usePlace } from '#gallery/url/use-place.ts'
import { SpaceMenu } from './space-menu.tsx'

type GridProps = ComponentProps<typeof ImageGrid>

interface ImagesPaneProps
  extends Pick<GridProps, 'view' | 'noun' | 'kind'>,
    Partial<Pick<GridProps, 'viewGenerations' | 'scrollTarget'>> {
  /** Shown if there are no images, without a search. */
  empty: ReactNode
}

/** The images of a view, or a message if there are none. */
export function ImagesPane(props: ImagesPaneProps) {
  const { view, noun, empty, kind, viewGenerations, scrollTarget = null } = props
  const { image, groupByDay, layout } = usePlace()
  const shown = useShownView(useSameView(view))
  const total = useViewTotal(shown)
  const isEmpty = total === 0 && !viewGenerations?.generations.length
  usePaste(shown.boardId)
  return (
    <div
      className={`relative flex min-h-0 flex-1 flex-col transition-opacity ${shown.query === view.query ? '' : 'opacity-60'}`}
    >
      {isEmpty ? (
        <SpaceMenu>
          <div className="flex min-h-0 flex-1 flex-col">
            <NoImages view={shown} noun={noun} empty={empty} />
          </div>
        </SpaceMenu>
      ) : (
        <ImageGrid
          key={JSON.stringify(shown)}
          view={shown}
          noun={noun}
          isGrouping={groupByDay}
          tileLayout={layout}
          openImage={image}
          onOpen={openLightbox}
          kind={kind}
          viewGenerations={viewGenerations}
          scrollTarget={scrollTarget}
        />
      )}
    </div>
  )
}

const openLightbox = (imageName: string) => goTo({ image: imageName })

/** The message of an empty view. It stays subscribed to the first window, so that new images replace it. */
function NoImages({ view, noun, empty }: Pick<ImagesPaneProps, 'view' | 'noun' | 'empty'>) {
  const { imageQueries } = useGallery()
  useQuery(imageQueries.window(view, 0))
  const hasConditions = useHasExtension('search_conditions')
  const filter = labelOfFilter(usePlace())
  if (view.query === '' && filter === null) return empty
  const things = filter?.toLowerCase() ?? `${noun}s`
  const isSearch = view.query !== ''
  return (
    <Notice
      icon={SearchX}
      title={`No ${noun} matches`}
      actions={
        <>
          {hasConditions && <WithoutOnePart view={view} />}
          {isSearch && <Button onClick={() => goTo({ query: '' })}>Clear search</Button>}
          {filter !== null && <Button onClick={clearFilter}>Clear filter</Button>}
        </>
      }
    >
      {isSearch ? `No ${things} match “${view.query}”.` : `No ${things} here.`}
    </Notice>
  )
}

/** Each of them is a request. */
const MAX_PARTS = 4

/** Buttons that remove the condition without which there are images. */
const WithoutOnePart = ({ view }: { view: ImageView }) =>
  partsOf(view.query)
    .slice(0, MAX_PARTS)
    .map((part) => <WithoutPart key={part.start} view={view} part={part} />)

function WithoutPart({ view, part }: { view: ImageView; part: SearchPart }) {
  const { imageQueries } = useGallery()
  const query = withoutPart(view.query, part)
  const { data } = useQuery(imageQueries.size({ ...view, query }))
  if (data === undefined || data.total === 0) return null
  return (
    <Button onClick={() => goTo({ query })}>
      {`Without ${nameOfPart(part)}: ${formatCount(data.total)}`}
    </Button>
  )
}

/** Returns the previous view while a new search is pending, so that its results stay visible. */
function useShownView(view: ImageView): ImageView {
  const { imageQueries } = useGallery()
  const [before, setBefore] = useState(view)
  const isSearch = view !== before && isSameButQuery(view, before)
  const { isPending } = useQuery({ ...imageQueries.window(view, 0), enabled: isSearch })
  const shown = isSearch && isPending ? before : view
  if (shown !== before) setBefore(shown)
  return shown
}

/** Returns the same object as long as the view is equal. */
function useSameView(view: ImageView): ImageView {
  const key = JSON.stringify(view)
  return useMemo((): ImageView => JSON.parse(key), [key])
}

const isSameButQuery = (a: ImageView, b: ImageView): boolean =>
  JSON.stringify({ ...a, query: '' }) === JSON.stringify({ ...b, query: '' })
