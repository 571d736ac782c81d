import { useId, useState } from 'react'
import { MAX_DESCRIPTION_LENGTH } from '#contract/limits.ts'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { closeDescription, useBoardToDescribe } from '#gallery/boards/board-list-store.ts'
import { Button } from '#gallery/ui/button.tsx'
import { Dialog } from '#gallery/ui/dialog.tsx'
import { isolated } from '#gallery/ui/text/names.ts'

/** Edits the description of a board, which its page shows below the name. */
export function DescriptionDialog() {
  const board = useBoardToDescribe()
  return board && <Describe key={board.board_id} board={board} />
}

function Describe({ board }: { board: Board }) {
  const { outbox } = useGallery()
  const formId = useId()
  const [text, setText] = useState(board.description ?? '')
  const save = () => {
    closeDescription()
    const wanted = text.trim()
    if (wanted !== (board.description ?? '')) outbox.changeBoard(board, 'board_description', wanted)
  }
  return (
    <Dialog
      isOpen
      onClose={closeDescription}
      title={`Description of “${isolated(board.board_name)}”`}
      actions={
        <>
          <Button tone="quiet" onClick={closeDescription}>
            Cancel
          </Button>
          <Button tone="primary" type="submit" form={formId}>
            Save
          </Button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <textarea
          aria-label="Description"
          dir="auto"
          rows={5}
          maxLength={MAX_DESCRIPTION_LENGTH}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            save()
          }}
          className="w-full resize-y rounded border border-line bg-surface px-3 py-2 text-base"
        />
      </form>
    </Dialog>
  )
}
