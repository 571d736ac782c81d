import { useQuery } from '@tanstack/react-query'
import { useLimitWait } from '#gallery/api/connection/connection.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { WaitingForLimit } from '#gallery/ui/waiting-for-limit.tsx'
import { useNaming } from './board-list-store.ts'

interface BoardListNoticeProps {
  filter: string
  /** The number of boards that match the filter. */
  shownCount: number
}

/** The message shown instead of the boards while they load, on failure, or if there are none or no match. */
export function BoardListNotice({ filter, shownCount }: BoardListNoticeProps) {
  const { boardQueries } = useGallery()
  const boards = useQuery(boardQueries.list())
  const naming = useNaming()
  const limitWait = useLimitWait()
  if (boards.isPending) {
    return (
      <>
        <Skeleton />
        {limitWait !== null && (
          <p className="px-4 py-2 text-muted text-sm">
            <WaitingForLimit until={limitWait} />
          </p>
        )}
      </>
    )
  }
  if (boards.data === undefined) {
    return (
      <div role="alert" className="px-4 py-2 text-sm">
        <p className="text-muted">Couldn’t load the boards.</p>
        <button
          type="button"
          className="mt-1 rounded py-1 font-medium text-accent"
          onClick={() => void boards.refetch()}
        >
          Try again
        </button>
      </div>
    )
  }
  if (shownCount > 0 || naming?.kind === 'new') return null
  return <p className="px-4 py-2 text-muted text-sm">{whyNone(filter, boards.data.length > 0)}</p>
}

function whyNone(filter: string, hasBoards: boolean): string {
  if (filter !== '') return `No board matches “${filter}”.`
  if (hasBoards) return 'All boards are archived or private. Show them from the menu above.'
  return 'Boards group images. Create one with +, then drag images onto it.'
}

/** A placeholder with the height of the rows that replace it, so that the layout does not shift. */
function Skeleton() {
  return (
    <div aria-hidden className="px-2">
      {[64, 80, 48].map((width) => (
        <div key={width} className="flex h-10 items-center gap-3 pl-1.5">
          <span className="size-8 rounded-sm bg-hover" />
          <span className="h-3 rounded-sm bg-hover" style={{ width: `${width / 16}rem` }} />
        </div>
      ))}
    </div>
  )
}
