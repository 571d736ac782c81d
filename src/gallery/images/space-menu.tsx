import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Command } from '#gallery/ui/commands/command.ts'
import { reachableByIds } from '#gallery/ui/commands/registry.ts'
import { ContextMenu } from '#gallery/ui/popups/context-menu.tsx'
import { CommandItems, MenuSeparator, Submenu } from '#gallery/ui/popups/menu.tsx'

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

export interface SpaceCommands {
  readonly commands: readonly Command[]
  readonly view: readonly Command[]
}

/** Returns the commands for empty space. Call it before the menu opens: an open menu covers the page's commands. */
export const spaceCommands = (): SpaceCommands => ({
  commands: reachableByIds(SPACE),
  view: reachableByIds(VIEW),
})

export function SpaceMenuItems({ commands, view }: SpaceCommands) {
  return (
    <>
      <CommandItems commands={commands} />
      {commands.length > 0 && view.length > 0 && <MenuSeparator />}
      {view.length > 0 && (
        <Submenu label="View options" icon={SlidersHorizontal}>
          <CommandItems commands={view} />
        </Submenu>
      )}
    </>
  )
}

/** The context menu of a view without images. */
export function SpaceMenu({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<SpaceCommands>({ commands: [], view: [] })
  return (
    <ContextMenu
      label="View"
      opensByTouch
      onOpen={({ target, currentTarget }) => {
        // Links and buttons have the browser's menu.
        if (target instanceof Element && target.closest('a, button, input')) return null
        setShown(spaceCommands())
        return currentTarget
      }}
      area={children}
    >
      <SpaceMenuItems {...shown} />
    </ContextMenu>
  )
}
