import type { ComponentProps } from 'react'
import { formatPlace } from './place.ts'
import { goTo, placeAfter, usePlace } from './use-place.ts'

type PlaceLinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  /** Id of a board, `none`, {@link ALL_BOARDS}, {@link STARRED} or {@link TRASH}. */
  board: string
  /** An image to open in the viewer. Default: none. */
  image?: string | null
  onOpen?: () => void
}

/** A link to a board, or to an image on it, in the current order. It clears the search. */
export function PlaceLink({ board, image = null, onOpen, ...rest }: PlaceLinkProps) {
  const place = usePlace()
  const target = { board, image, query: '' }
  return (
    <a
      {...rest}
      href={formatPlace(placeAfter(target))}
      aria-current={place.board === board && image === null ? 'page' : undefined}
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
