import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Command } from '#gallery/ui/commands/command.ts'
import { reachableByIds } from '#gallery/ui/commands/registry.ts'
import { ContextMenu, ContextMenuItems } from '#gallery/ui/popups/context-menu.tsx'

/** IDs of the commands for empty space. Other features register some of them. */
const SPACE = [
  'upload.files',
  'upload.folder',
  'import',
  'board.new',
  'trash.restoreAll',
  'trash.empty',
  'paste',
  'selectAll',
  'invert',
]

const VIEW = [
  'sort.created_at',
  'sort.taken_at',
  'sort.name',
  'sort.size',
  'order.DESC',
  'order.ASC',
  'order.starredFirst',
  'order.groupByDay',
  'tiles.fill',
  'tiles.fit',
  'tiles.rows',
  'tiles.larger',
  'tiles.smaller',
  'follow',
]

/** Returns the commands for empty space. Call it before the menu opens: an open menu covers the page's commands. */
export const spaceCommands = (): Command[] => [
  ...reachableByIds(SPACE),
  ...reachableByIds(VIEW).map((command) => ({
    ...command,
    submenu: { label: 'View options', icon: SlidersHorizontal },
  })),
]

/** The context menu of a view without images. */
export function SpaceMenu({ children }: { children: ReactNode }) {
  const [commands, setCommands] = useState<readonly Command[]>([])
  return (
    <ContextMenu
      label="View"
      opensByTouch
      onOpen={({ target, currentTarget }) => {
        // Links and buttons have the browser's menu.
        if (target instanceof Element && target.closest('a, button, input')) return null
        setCommands(spaceCommands())
        return currentTarget
      }}
      area={children}
    >
      <ContextMenuItems commands={commands} />
    </ContextMenu>
  )
}
