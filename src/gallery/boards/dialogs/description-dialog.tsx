import { useId, useState } from 'react'
import { MAX_DESCRIPTION_LENGTH } from '#contract/limits.ts'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { closeDescription, useBoardToDescribe } from '#gallery/boards/board-list-store.ts'
import { MeanwhileNote } from '#gallery/boards/meanwhile-note.tsx'
import { useBoards } from '#gallery/boards/use-boards.ts'
import { Button } from '#gallery/ui/button.tsx'
import { Dialog } from '#gallery/ui/popups/dialog.tsx'
import { isolated } from '#gallery/ui/text/names.ts'

/** Edits the description of a board, which its page shows below the name. */
export function DescriptionDialog() {
  const board = useBoardToDescribe()
  return board && <Describe key={board.board_id} board={board} />
}

/** @param board - As it was when the dialog opened. */
function Describe({ board }: { board: Board }) {
  const { outbox } = useGallery()
  const formId = useId()
  const boards = useBoards()
  const current = boards?.find(({ board_id }) => board_id === board.board_id)
  const isDeleted = boards !== undefined && current === undefined
  const stored = (current ?? board).description ?? ''
  const [initial, setInitial] = useState(stored)
  const [text, setText] = useState(stored)
  if (stored !== initial && text === initial) {
    setInitial(stored)
    setText(stored)
  }
  const wanted = text.trim()
  const isChanged = !isDeleted && stored !== initial && stored !== wanted
  const save = () => {
    if (isDeleted) return
    closeDescription()
    if (wanted !== stored) outbox.changeBoard(current ?? board, 'board_description', wanted)
  }
  return (
    <Dialog
      isOpen
      onClose={closeDescription}
      title={`Description of “${isolated((current ?? board).board_name)}”`}
      actions={
        <>
          <Button tone="quiet" onClick={closeDescription}>
            {isDeleted ? 'Close' : 'Cancel'}
          </Button>
          {!isDeleted && (
            <Button tone="primary" type="submit" form={formId}>
              {isChanged ? 'Replace' : 'Save'}
            </Button>
          )}
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
        {isDeleted ? (
          <MeanwhileNote>
            This board was deleted meanwhile. Copy your text if you still need it.
          </MeanwhileNote>
        ) : isChanged ? (
          <MeanwhileNote>
            {stored === '' ? (
              'The description was removed meanwhile.'
            ) : (
              <>
                Changed meanwhile to: <q dir="auto">{stored}</q>
              </>
            )}
          </MeanwhileNote>
        ) : null}
      </form>
    </Dialog>
  )
}
