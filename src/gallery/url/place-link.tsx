import type { ComponentProps } from 'react'
import { formatPlace, type Place } from './place.ts'
import { ALL_BOARDS } from './place-order.ts'
import { goTo, placeAfter, usePlace } from './use-place.ts'

type PlaceLinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  /** Id of a board, `none`, {@link ALL_BOARDS}, {@link STARRED} or {@link TRASH}. */
  board: string
  /** An image to open in the viewer. Default: none. */
  image?: string | null
  onOpen?: () => void
  /** A saved search to open instead of a board. */
  search?: Pick<Place, 'query' | 'search'> & Partial<Place>
}

/** A link to a board, to an image on it, or to a saved search, in its order. It clears the search before. */
export function PlaceLink({ board, image = null, onOpen, search, ...rest }: PlaceLinkProps) {
  const place = usePlace()
  const target = search
    ? { ...search, board: ALL_BOARDS, image }
    : { board, image, query: '', search: null }
  const isOpen = search ? place.search === search.search : place.board === board && !place.search
  return (
    <a
      {...rest}
      href={formatPlace(placeAfter(target))}
      aria-current={isOpen && image === null ? 'page' : undefined}
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
