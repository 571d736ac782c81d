import { Images, Inbox } from 'lucide-react'
import type { ReactNode } from 'react'
import { Notice } from '#gallery/ui/notice.tsx'

interface EmptyBoardProps {
  isUncategorized: boolean
  /** The upload button. */
  actions: ReactNode
}

/** The empty state of a board. */
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
