import { Images, Inbox } from 'lucide-react'
import type { ReactNode } from 'react'
import { Notice } from '#gallery/ui/notice.tsx'

interface EmptyBoardProps {
  isUncategorized: boolean
  /** How images get here: the button to upload. */
  actions: ReactNode
}

/** What stands on a board without images. */
export function EmptyBoard({ isUncategorized, actions }: EmptyBoardProps) {
  if (isUncategorized) {
    return (
      <Notice icon={Inbox} title="Nothing in Assets" actions={actions}>
        Images that are on no board are shown here. Drop some anywhere on the page.
      </Notice>
    )
  }
  return (
    <Notice icon={Images} title="This board is empty" actions={actions}>
      Drop images here from your desktop, or select some elsewhere and drag them onto the board’s
      name.
    </Notice>
  )
}
