import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import { imageUrls } from '#contract/image-urls.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { QueueEntry } from '#gallery/api/queue/queue-entry.ts'
import { useIsCompact } from '#gallery/ui/use-media.ts'
import { PlaceLink } from '#gallery/url/place-link.tsx'
import { closeQueue } from './queue-store.ts'

/** The maximum number of thumbnails in a strip. */
export const MAX_STRIP = 5

interface TargetBoard {
  readonly boardId: string
  readonly name: string
}

/** Returns the target board of an item. The server saves to no board if the board no longer exists. */
export function useTargetBoard({ graph }: QueueEntry): TargetBoard | null {
  const { boardQueries } = useGallery()
  const boards = useQuery(boardQueries.list()).data
  if (graph === null) return null
  const board = boards?.find(({ board_id }) => board_id === graph.boardId)
  if (board?.board_id) return { boardId: board.board_id, name: board.board_name }
  if (graph.boardId !== UNCATEGORIZED_BOARD_ID && boards === undefined) return null
  return { boardId: UNCATEGORIZED_BOARD_ID, name: UNCATEGORIZED_BOARD_NAME }
}

interface ResultsProps {
  board: TargetBoard | null
  /** The new images, newest first. */
  imageNames: readonly string[]
}

type ResultLinkProps = ResultsProps & Omit<ComponentProps<typeof PlaceLink>, 'board' | 'image'>

/** A link to the results: the image in the viewer, or the board of several images. Plain text without results. */
export function ResultLink({ board, imageNames, children, ...rest }: ResultLinkProps) {
  const isCompact = useIsCompact()
  const [first, second] = imageNames
  if (board === null || first === undefined) return children
  return (
    <PlaceLink
      board={board.boardId}
      image={second === undefined ? first : null}
      // On a phone the panel covers the results.
      {...(isCompact && { onOpen: closeQueue })}
      {...rest}
    >
      {children}
    </PlaceLink>
  )
}

/** Thumbnails of the newest results. A click opens the results, like the link in the title. */
export function ResultStrip({ board, imageNames }: ResultsProps) {
  if (board === null || imageNames.length === 0) return null
  return (
    <ResultLink
      board={board}
      imageNames={imageNames}
      // The title is the same link, so the strip is neither a tab stop nor announced.
      tabIndex={-1}
      aria-hidden
      className="mt-1.5 flex w-fit gap-1 empty:hidden"
    >
      {imageNames.slice(0, MAX_STRIP).map((imageName) => (
        <Thumbnail key={imageName} imageName={imageName} />
      ))}
    </ResultLink>
  )
}

/** The thumbnail of the only result of an item, as its mark. */
export function ResultMark({
  board,
  imageNames,
  children,
}: ResultsProps & { children: ReactNode }) {
  const [imageName] = imageNames
  if (board === null || imageName === undefined) return children
  return (
    <ResultLink board={board} imageNames={[imageName]} tabIndex={-1} aria-hidden>
      <Thumbnail imageName={imageName} fallback={children} />
    </ResultLink>
  )
}

interface ThumbnailProps {
  imageName: string
  /** Shown if the image is deleted. */
  fallback?: ReactNode
}

function Thumbnail({ imageName, fallback = null }: ThumbnailProps) {
  const { client } = useGallery()
  const [isGone, setIsGone] = useState(false)
  if (isGone) return fallback
  return (
    // Chromium collapses an image without alternative text until it is loaded.
    <span className="block size-10 overflow-hidden rounded bg-sunken">
      <img
        src={client.images.thumbnailUrl(imageUrls(imageName))}
        alt=""
        loading="lazy"
        decoding="async"
        onError={() => setIsGone(true)}
        className="size-full object-cover"
      />
    </span>
  )
}
