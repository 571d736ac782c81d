import { useQuery } from '@tanstack/react-query'
import { Inbox, Star, Trash2, Upload } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import { uncategorizedBoardOf } from '#gallery/api/boards/board-queries.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { EmptyAssetsDialog } from '#gallery/boards/dialogs/empty-assets-dialog.tsx'
import type { Command } from '#gallery/ui/commands/command.ts'
import { useDropTarget } from '#gallery/ui/drag/drop.ts'
import { ContextMenu } from '#gallery/ui/popups/context-menu.tsx'
import { CommandItems, Menu } from '#gallery/ui/popups/menu.tsx'
import { STARRED } from '#gallery/url/place.ts'
import { viewCommands } from './board-commands.ts'
import type { BoardFiles } from './board-files.ts'
import { NavRow, RowOptions } from './nav-row.tsx'
import { useUncategorizedCount, useVideoCount } from './use-boards.ts'
import type { RovingFocus } from './use-roving-focus.ts'

interface PlaceRowProps {
  name: string
  /** The commands of its menu. */
  commands: readonly Command[]
  /** The row. */
  children: ReactNode
}

/** A row of the navigation that is no board, with its context menu. */
export function PlaceRow({ name, commands, children }: PlaceRowProps) {
  const row = useRef<HTMLDivElement>(null)
  return (
    <ContextMenu
      label={name}
      heading={name}
      onOpen={() => row.current}
      opensByTouch
      area={<div ref={row}>{children}</div>}
    >
      <CommandItems commands={commands} />
    </ContextMenu>
  )
}

interface AssetsRowProps {
  focus: ReturnType<RovingFocus['propsOf']>
  files: Pick<BoardFiles, 'Zone' | 'upload'>
}

/** The row of the uncategorized board. It accepts images and files. It can be emptied, but not renamed or deleted. */
export function AssetsRow({ focus, files }: AssetsRowProps) {
  const row = useRef<HTMLDivElement>(null)
  const count = useUncategorizedCount()
  const { isOver } = useDropTarget(row, {
    kind: 'images',
    onDrop: ({ moveTo }) => moveTo(UNCATEGORIZED_BOARD_ID),
  })
  // Without a trash, emptying would permanently delete the images.
  const canEmpty = useHasExtension('trash')
  const videoCount = useVideoCount(UNCATEGORIZED_BOARD_ID)
  const [isAsking, setIsAsking] = useState(false)
  const empty: Command = {
    id: 'emptyAssets',
    label: 'Empty Assets…',
    icon: Trash2,
    group: 'delete',
    isDanger: true,
    disabledReason: count === undefined || count === 0 ? 'No images' : undefined,
    run: () => setIsAsking(true),
  }
  const commands: Command[] = [
    ...viewCommands(UNCATEGORIZED_BOARD_ID),
    {
      id: 'assets.upload',
      label: 'Upload to Assets…',
      icon: Upload,
      group: 'files',
      run: () => files.upload(uncategorizedBoardOf(count)),
    },
    ...(canEmpty ? [empty] : []),
  ]
  return (
    <>
      <PlaceRow name={UNCATEGORIZED_BOARD_NAME} commands={commands}>
        <div ref={row}>
          <files.Zone boardId={null} label={UNCATEGORIZED_BOARD_NAME}>
            <NavRow
              board={UNCATEGORIZED_BOARD_ID}
              name={UNCATEGORIZED_BOARD_NAME}
              count={count}
              icon={<Inbox aria-hidden size={18} strokeWidth={1.75} />}
              isDropTarget={isOver}
              focus={focus}
            >
              <AssetsMenu>
                <CommandItems commands={commands} />
              </AssetsMenu>
            </NavRow>
          </files.Zone>
        </div>
      </PlaceRow>
      {isAsking && (
        <EmptyAssetsDialog
          count={count ?? 0}
          videoCount={videoCount}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}

/** The row of the starred images of all boards. A drop stars images, which stay on their boards. */
export function StarredRow({ focus }: { focus: ReturnType<RovingFocus['propsOf']> }) {
  const row = useRef<HTMLDivElement>(null)
  const { starredCount } = useGallery()
  const { data: count } = useQuery(starredCount.query())
  const { isOver } = useDropTarget(row, { kind: 'images', onDrop: ({ star }) => star() })
  return (
    <PlaceRow name="Starred" commands={viewCommands(STARRED)}>
      <div ref={row}>
        <NavRow
          board={STARRED}
          name="Starred"
          count={count}
          icon={<Star aria-hidden size={18} strokeWidth={1.75} />}
          isDropTarget={isOver}
          focus={focus}
        />
      </div>
    </PlaceRow>
  )
}

/** The "…" menu of the row of Assets. */
function AssetsMenu({ children }: { children: ReactNode }) {
  return <Menu trigger={<RowOptions name={UNCATEGORIZED_BOARD_NAME} />}>{children}</Menu>
}
