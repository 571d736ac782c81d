import type { ComponentProps } from 'react'
import { formatPlace, type Place } from './place.ts'
import { ALL_BOARDS, TRASH } from './place-order.ts'
import { goTo, placeAfter, usePlace } from './use-place.ts'

type PlaceLinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  /** Id of a board, `none`, {@link ALL_BOARDS}, {@link STARRED} or {@link TRASH}. */
  board: string
  /** An image to open in the viewer. Default: none. */
  image?: string | null
  onOpen?: () => void
  /** A saved search to open instead of a board, or the query of a row without one. */
  search?: Pick<Place, 'query' | 'search'> & Partial<Place>
  /** The insights of the current place to open instead of a board. */
  page?: Place['page'] | undefined
}

/** Returns the change from a place to its insights. The trash has none. */
export const insightsOf = ({ board }: Pick<Place, 'board'>): Partial<Place> => ({
  ...(board === TRASH && { board: ALL_BOARDS, query: '' }),
  page: 'insights',
  image: null,
})

/**
 * A link to a board, to an image on it, to a saved search or to the insights, in its order. It clears the search before.
 * It marks itself as current if its board is open. The rows of the sidebar decide that themselves.
 */
export function PlaceLink(props: PlaceLinkProps) {
  const { board, image = null, onOpen, search, page = null, ...rest } = props
  const place = usePlace()
  const target = page
    ? insightsOf(place)
    : search
      ? { ...search, board: ALL_BOARDS, image }
      : { board, image, query: '', search: null }
  const isOpen = place.board === board && place.search === null && place.page === null
  return (
    <a
      aria-current={isOpen && image === null ? 'page' : undefined}
      {...rest}
      href={formatPlace(placeAfter(target))}
      onClick={(event) => {
        // Let the browser open new tabs and windows.
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        goTo(target)
        onOpen?.()
      }}
    />
  )
}
