import { useId, useState } from 'react'
import { MAX_BOARD_NAME_LENGTH } from '#contract/limits.ts'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import {
  closeGroupDialog,
  setGroupFolded,
  useGroupDialog,
} from '#gallery/boards/board-list-store.ts'
import { membersOf } from '#gallery/boards/group-commands.ts'
import { MeanwhileNote } from '#gallery/boards/meanwhile-note.tsx'
import { GROUP_SEPARATOR, groupsOf, nameWithin, partsOf } from '#gallery/boards/order/board-tree.ts'
import { useBoards } from '#gallery/boards/use-boards.ts'
import { Button } from '#gallery/ui/button.tsx'
import { Dialog } from '#gallery/ui/popups/dialog.tsx'
import { typedOr } from '#gallery/ui/popups/palette-field.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { inputClasses } from '#gallery/ui/text-field.tsx'
import { DeleteGroup } from './delete-group-dialog.tsx'
import { NameForm } from './name-form.tsx'

export interface GroupDialogsProps {
  /** Called for each board that is removed from the list. */
  onDeleted: (board: Board) => void
}

interface GroupDialogProps {
  path: string
  /** The boards of the group, at any depth. */
  members: readonly Board[]
}

/** The dialogs that rename, move and delete a group of boards. */
export function GroupDialogs({ onDeleted }: GroupDialogsProps) {
  const api = useGallery()
  const boards = useBoards()
  const dialog = useGroupDialog()
  if (dialog === null || boards === undefined) return null
  const { kind, path } = dialog
  const group = { path, members: membersOf(api, boards, path) }
  if (kind === 'rename') return <RenameGroup {...group} />
  if (kind === 'move') return <MoveGroup {...group} boards={boards} />
  return <DeleteGroup {...group} onDeleted={onDeleted} />
}

/** Returns a function that gives a group another path: it replaces the beginning of the names of its boards. */
function useRenameGroup({ path, members }: GroupDialogProps): (newPath: string) => void {
  const { outbox } = useGallery()
  return (newPath) => {
    closeGroupDialog()
    if (newPath === path) return
    outbox.renameGroup(path, members, {
      boardName: newPath,
      renamed: ({ board_name }) => nameWithin(nameInside(board_name, path), newPath),
    })
    for (const shown of groupsOf(nameWithin('board', newPath))) setGroupFolded(shown, false)
  }
}

/** Returns the part of a board's name after that of a group. */
const nameInside = (boardName: string, path: string): string =>
  partsOf(boardName).slice(partsOf(path).length).join('/')

const parentOf = (path: string): string => partsOf(path).slice(0, -1).join('/')
const labelOf = (path: string): string => partsOf(path).at(-1) ?? path

/** Returns the group under its current path. Another client may have renamed it since the dialog opened. */
function useCurrentGroup(opened: GroupDialogProps): GroupDialogProps {
  const api = useGallery()
  const boards = useBoards() ?? []
  const [first] = useState(opened)
  const [path, setPath] = useState(opened.path)
  const members = membersOf(api, boards, path)
  if (members.length > 0) return { path, members }
  const insides = new Map(
    first.members.map(({ board_id, board_name }) => [board_id, nameInside(board_name, first.path)]),
  )
  const [newPath = null, ...others] = new Set(
    boards.flatMap(({ board_id, board_name }) => {
      const inside = insides.get(board_id)
      return inside === undefined ? [] : [pathAround(board_name, inside)]
    }),
  )
  if (newPath !== null && newPath !== path && others.length === 0) setPath(newPath)
  return { path, members }
}

/** Returns the path of the group in which a board has this name; null if its name is another one. */
const pathAround = (boardName: string, inside: string): string | null =>
  boardName.endsWith(`${GROUP_SEPARATOR}${inside}`)
    ? boardName.slice(0, -inside.length - GROUP_SEPARATOR.length)
    : null

function RenameGroup(opened: GroupDialogProps) {
  const { path, members } = useCurrentGroup(opened)
  const rename = useRenameGroup({ path, members })
  const formId = useId()
  const [initial, setInitial] = useState(path)
  const rest = Math.max(
    0,
    ...members.map(({ board_name }) => board_name.length - labelOf(path).length),
  )
  const maxLength = Math.max(1, MAX_BOARD_NAME_LENGTH - rest)
  const [typed, setTyped] = useState(() => typedOr(labelOf(path), maxLength))
  if (path !== initial && typed === labelOf(initial)) {
    setInitial(path)
    setTyped(labelOf(path))
  }
  const isGone = members.length === 0
  const isRenamed = !isGone && path !== initial && typed.trim() !== labelOf(path)
  const [isRefused, setIsRefused] = useState(false)
  const submit = () => {
    if (isGone) return
    const label = partsOf(typed).join('/').trim()
    if (typed.replaceAll('/', '').trim() === '') setIsRefused(true)
    else rename(parentOf(path) === '' ? label : nameWithin(label, parentOf(path)))
  }
  return (
    <Dialog
      isOpen
      onClose={closeGroupDialog}
      title={`Rename the group “${isolated(path)}”`}
      actions={
        <>
          <Button tone="quiet" onClick={closeGroupDialog}>
            {isGone ? 'Close' : 'Cancel'}
          </Button>
          {!isGone && (
            <Button tone="primary" type="submit" form={formId}>
              Rename
            </Button>
          )}
        </>
      }
    >
      <NameForm
        id={formId}
        value={typed}
        maxLength={maxLength}
        fault={isRefused ? 'A group needs a name.' : null}
        onType={(name) => {
          setTyped(name)
          setIsRefused(false)
        }}
        onSubmit={submit}
      >
        {isGone ? (
          <MeanwhileNote>
            This group no longer exists: its boards were renamed or deleted meanwhile.
          </MeanwhileNote>
        ) : isRenamed ? (
          <MeanwhileNote>Renamed to “{isolated(path)}” meanwhile.</MeanwhileNote>
        ) : null}
      </NameForm>
    </Dialog>
  )
}

function MoveGroup({ path, members, boards }: GroupDialogProps & { boards: readonly Board[] }) {
  const rename = useRenameGroup({ path, members })
  const formId = useId()
  const selectId = useId()
  const all = new Set(boards.flatMap(({ board_name }) => groupsOf(board_name)))
  const targets = [...all]
    .filter((group) => !groupsOf(nameWithin('board', group)).includes(path))
    .filter((group) => group !== parentOf(path))
    .sort((a, b) => a.localeCompare(b, undefined, { numeric: true }))
  const isInGroup = parentOf(path) !== ''
  const [target, setTarget] = useState(isInGroup ? '' : (targets[0] ?? ''))
  const hasTarget = isInGroup || targets.length > 0
  return (
    <Dialog
      isOpen
      onClose={closeGroupDialog}
      title={`Move the group “${isolated(path)}”`}
      description={hasTarget ? undefined : 'There is no other group.'}
      actions={
        <>
          <Button tone="quiet" onClick={closeGroupDialog}>
            {hasTarget ? 'Cancel' : 'Close'}
          </Button>
          {hasTarget && (
            <Button tone="primary" type="submit" form={formId}>
              Move
            </Button>
          )}
        </>
      }
    >
      {hasTarget && (
        <form
          id={formId}
          className="flex flex-col gap-1"
          onSubmit={(event) => {
            event.preventDefault()
            rename(nameWithin(labelOf(path), target))
          }}
        >
          <label htmlFor={selectId} className="font-medium">
            Into
          </label>
          <select
            id={selectId}
            value={target}
            onChange={(event) => setTarget(event.currentTarget.value)}
            className={inputClasses}
          >
            {isInGroup && <option value="">No group</option>}
            {targets.map((group) => (
              <option key={group} value={group}>
                {group}
              </option>
            ))}
          </select>
        </form>
      )}
    </Dialog>
  )
}
