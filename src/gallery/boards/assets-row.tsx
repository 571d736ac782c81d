import { Ellipsis, Inbox, Trash2 } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { IconButton } from '#gallery/ui/button.tsx'
import { ContextMenu } from '#gallery/ui/context-menu.tsx'
import { useDropTarget } from '#gallery/ui/drag/drop.ts'
import { CommandItems, Menu } from '#gallery/ui/menu.tsx'
import type { FileZone } from './board-row.tsx'
import { EmptyAssetsDialog } from './empty-assets-dialog.tsx'
import { NavRow } from './nav-row.tsx'
import { useUncategorizedCount } from './use-boards.ts'
import type { RovingFocus } from './use-roving-focus.ts'

interface AssetsRowProps {
  focus: ReturnType<RovingFocus['propsOf']>
  FileZone: FileZone
}

/** The row of the uncategorized board. It accepts images and files. It can be emptied, but not renamed or deleted. */
export function AssetsRow({ focus, FileZone }: AssetsRowProps) {
  const row = useRef<HTMLDivElement>(null)
  const count = useUncategorizedCount()
  const { isOver } = useDropTarget(row, {
    kind: 'images',
    onDrop: ({ moveTo }) => moveTo(UNCATEGORIZED_BOARD_ID),
  })
  // Without a trash, emptying would permanently delete the images.
  const canEmpty = useHasExtension('trash')
  const [isAsking, setIsAsking] = useState(false)
  const items = (
    <CommandItems
      commands={[
        {
          id: 'emptyAssets',
          label: 'Empty Assets…',
          icon: Trash2,
          group: 'delete',
          isDanger: true,
          disabledReason: count === undefined || count === 0 ? 'No images' : undefined,
          run: () => setIsAsking(true),
        },
      ]}
    />
  )
  const area = (
    <div ref={row}>
      <FileZone boardId={null} label={UNCATEGORIZED_BOARD_NAME}>
        <NavRow
          board={UNCATEGORIZED_BOARD_ID}
          name={UNCATEGORIZED_BOARD_NAME}
          count={count}
          icon={<Inbox aria-hidden size={18} strokeWidth={1.75} />}
          isDropTarget={isOver}
          focus={focus}
        >
          {canEmpty && <AssetsMenu>{items}</AssetsMenu>}
        </NavRow>
      </FileZone>
    </div>
  )
  if (!canEmpty) return area
  return (
    <>
      <ContextMenu
        label={UNCATEGORIZED_BOARD_NAME}
        heading={UNCATEGORIZED_BOARD_NAME}
        onOpen={() => row.current}
        opensByTouch
        area={area}
      >
        {items}
      </ContextMenu>
      {isAsking && <EmptyAssetsDialog count={count ?? 0} onClose={() => setIsAsking(false)} />}
    </>
  )
}

/** The "…" menu of the row. */
function AssetsMenu({ children }: { children: ReactNode }) {
  return (
    <Menu
      trigger={
        <IconButton
          label={`Options for ${UNCATEGORIZED_BOARD_NAME}`}
          icon={Ellipsis}
          tabIndex={-1}
          className="pointer-fine:opacity-0 pointer-fine:group-focus-within/row:opacity-100 pointer-fine:group-hover/row:opacity-100 pointer-fine:data-popup-open:opacity-100"
        />
      }
    >
      {children}
    </Menu>
  )
}
