import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { imageQueries } from '#gallery/api/images/image-queries.ts'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { ImageGrid } from '#gallery/images/grid/image-grid.tsx'
import type { Followed } from '#gallery/images/place/use-follow.ts'
import { useViewTotal } from '#gallery/images/place/use-view-total.ts'
import { usePaste } from '#gallery/images/selection/use-cut-and-paste.ts'
import type { BeingMade } from '#gallery/images/tiles/making-cells.ts'
import { Button } from '#gallery/ui/button.tsx'
import { Notice } from '#gallery/ui/notice.tsx'
import { EVERY_KIND, kindOf } from '#gallery/url/place.ts'
import { goTo, usePlace } from '#gallery/url/use-place.ts'
import { clearKind } from './kind-menu.tsx'
import type { GridKind } from './use-image-actions.ts'

interface ImagesPaneProps {
  view: ImageView
  /** What stands here when there is no image and nothing is searched for. */
  empty: ReactNode
  /** What the images can do. */
  kind: GridKind
  /** What will come in here, if that is to be seen. */
  beingMade?: BeingMade | undefined
  /** An image that has just been made and is to be led to. */
  followed?: Followed | null
}

/** The images of a view: loading, there, none, none that match, or failed. */
export function ImagesPane(props: ImagesPaneProps) {
  const { view, empty, kind, beingMade, followed = null } = props
  const { image, groupByDay } = usePlace()
  const shown = useShownView(useSameView(view))
  const total = useViewTotal(shown)
  const isEmpty = total === 0 && !beingMade?.generations.length
  usePaste(shown.boardId)
  return (
    <div
      className={`relative flex min-h-0 flex-1 flex-col transition-opacity ${shown.query === view.query ? '' : 'opacity-60'}`}
    >
      {isEmpty ? (
        <NoImages view={shown} empty={empty} />
      ) : (
        <ImageGrid
          key={JSON.stringify(shown)}
          view={shown}
          isGrouping={groupByDay}
          openImage={image}
          onOpen={openLightbox}
          kind={kind}
          beingMade={beingMade}
          followed={followed}
        />
      )}
    </div>
  )
}

const openLightbox = (imageName: string) => goTo({ image: imageName })

/** Stays subscribed to the first window: what arrives elsewhere ends the emptiness. */
function NoImages({ view, empty }: { view: ImageView; empty: ReactNode }) {
  useQuery(imageQueries.window(view, 0))
  const kind = kindOf(view.categories)
  const isFiltered = kind !== EVERY_KIND
  if (view.query === '' && !isFiltered) return empty
  const things = isFiltered ? kind.label.toLowerCase() : 'images'
  const isSearch = view.query !== ''
  return (
    <Notice
      icon={SearchX}
      title="No image matches"
      actions={
        <>
          {isSearch && <Button onClick={() => goTo({ query: '' })}>Clear search</Button>}
          {isFiltered && <Button onClick={clearKind}>Show all kinds</Button>}
        </>
      }
    >
      {isSearch ? `No ${things} match “${view.query}”.` : `No ${things} here.`}
    </Notice>
  )
}

/** While other words are searched for, what was found before stands until there is an answer. */
function useShownView(view: ImageView): ImageView {
  const before = useRef(view)
  const isSearch = view !== before.current && isSameButQuery(view, before.current)
  const { isPending } = useQuery({ ...imageQueries.window(view, 0), enabled: isSearch })
  const shown = isSearch && isPending ? before.current : view
  useEffect(() => {
    before.current = shown
  }, [shown])
  return shown
}

/** The same object for as long as the view is the same. */
function useSameView(view: ImageView): ImageView {
  const key = JSON.stringify(view)
  return useMemo((): ImageView => JSON.parse(key), [key])
}

const isSameButQuery = (a: ImageView, b: ImageView): boolean =>
  JSON.stringify({ ...a, query: '' }) === JSON.stringify({ ...b, query: '' })
