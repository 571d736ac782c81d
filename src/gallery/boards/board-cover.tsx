import { Image } from 'lucide-react'
import { type Board, coverUrl } from '#gallery/api/boards/board-queries.ts'

/** The first picture of a board, or a plain tile where there is none. */
export function BoardCover({ board }: { board: Board }) {
  const url = coverUrl(board)
  return (
    <span className="flex size-8 items-center justify-center overflow-hidden rounded-sm bg-hover text-muted">
      {url === null ? (
        <Image aria-hidden size={16} strokeWidth={1.5} />
      ) : (
        <img
          key={url}
          src={url}
          alt=""
          width={32}
          height={32}
          loading="lazy"
          decoding="async"
          draggable={false}
          className="size-full object-cover"
        />
      )}
    </span>
  )
}
