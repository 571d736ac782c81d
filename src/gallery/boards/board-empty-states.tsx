import { FolderX, Images, Inbox, Star } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#gallery/ui/button.tsx'
import { Notice } from '#gallery/ui/notice.tsx'
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

/** The message for a board that does not exist, or no longer exists. */
export function UnknownBoard() {
  return (
    <Notice
      icon={FolderX}
      title="Board not found"
      actions={
        <Button onClick={() => goTo({ board: ALL_BOARDS, query: '' })}>Show all images</Button>
      }
    >
      It may have been deleted. Its images may be in Assets or in the trash.
    </Notice>
  )
}
