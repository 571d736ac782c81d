import { useQuery } from '@tanstack/react-query'
import { FolderX, Images, Inbox, Star } from 'lucide-react'
import type { ReactNode } from 'react'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { Button } from '#gallery/ui/button.tsx'
import { Notice } from '#gallery/ui/notice.tsx'
import { isolated } from '#gallery/ui/text/names.ts'
import { ALL_BOARDS } from '#gallery/url/place-order.ts'
import { goTo } from '#gallery/url/use-place.ts'

interface EmptyBoardProps {
  isUncategorized: boolean
  /** The upload and import buttons. */
  actions: ReactNode
}

export function EmptyBoard({ isUncategorized, actions }: EmptyBoardProps) {
  if (isUncategorized) {
    return (
      <Notice icon={Inbox} title="Nothing in Assets" actions={actions}>
        Images without a board appear here.
        <span className="pointer-coarse:hidden">
          {' '}
          Drop images anywhere on the page to add them.
        </span>
      </Notice>
    )
  }
  return (
    <Notice icon={Images} title="This board is empty" actions={actions}>
      <span className="pointer-coarse:hidden">
        Drop images here, or select images on another board and drag them onto this board’s name.
      </span>
      <span className="hidden pointer-coarse:inline">
        Add images, or select images on another board and move them here.
      </span>
    </Notice>
  )
}

export function NoStarredImages() {
  return (
    <Notice
      icon={Star}
      title="No starred images"
      actions={
        <Button onClick={() => goTo({ board: ALL_BOARDS, query: '' })}>Show all images</Button>
      }
    >
      Star images to find them here, on whichever board they are.
    </Notice>
  )
}

interface MissingBoardProps {
  boardId: string
  /** The name of a board that was open before it was deleted; null: a link led here. */
  name: string | null
}

/** The message for a board that was deleted or never existed. It appears in place of the images. */
export function MissingBoard({ boardId, name }: MissingBoardProps) {
  const { trash, outbox } = useGallery()
  const hasTrash = useHasExtension('trash')
  const { data: summary, isPending } = useQuery({ ...trash.summary(), enabled: hasTrash })
  if (hasTrash && isPending) return null
  const board = summary?.boards.find(({ board_id }) => board_id === boardId)
  const showAll = (
    <Button onClick={() => goTo({ board: ALL_BOARDS, image: null, query: '' })}>
      Show all images
    </Button>
  )
  const deleted = name === null ? null : `“${isolated(name)}” was deleted`
  if (board !== undefined) {
    return (
      <Notice
        icon={FolderX}
        title={deleted ?? `“${isolated(board.board_name)}” is in the trash`}
        actions={
          <>
            <Button tone="primary" onClick={() => void outbox.restoreBoard(board)}>
              Restore the board
            </Button>
            {showAll}
          </>
        }
      >
        You can restore it from the trash, with the images that were deleted with it.
      </Notice>
    )
  }
  return (
    <Notice icon={FolderX} title={deleted ?? 'Board not found'} actions={showAll}>
      {deleted === null && 'It may have been deleted. '}Its images may be in Assets or in the trash.
    </Notice>
  )
}
