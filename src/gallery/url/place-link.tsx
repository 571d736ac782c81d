import type { ComponentProps } from 'react'
import { formatPlace } from './place.ts'
import { goTo, placeAfter, usePlace } from './use-place.ts'

type PlaceLinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  /** A board's id, or one of the places that are no board. */
  board: string
  onOpen?: () => void
}

/** A link to a board, in its own order. A search and an open image are left behind. */
export function PlaceLink({ board, onOpen, ...rest }: PlaceLinkProps) {
  const place = usePlace()
  const target = { board, image: null, query: '' }
  return (
    <a
      {...rest}
      href={formatPlace(placeAfter(target))}
      aria-current={place.board === board ? 'page' : undefined}
      onClick={(event) => {
        // A new tab or window is the browser's affair.
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        goTo(target)
        onOpen?.()
      }}
    />
  )
}
