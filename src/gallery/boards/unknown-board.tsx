import { FolderX } from 'lucide-react'
import { Button } from '#gallery/ui/button.tsx'
import { Notice } from '#gallery/ui/notice.tsx'
import { ALL_BOARDS } from '#gallery/url/place.ts'
import { goTo } from '#gallery/url/use-place.ts'

/** What stands where the address names a board that is not there, or not any more. */
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
