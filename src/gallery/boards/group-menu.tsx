import { useGallery } from '#gallery/api/gallery-context.tsx'
import { CommandItems } from '#gallery/ui/popups/menu.tsx'
import { groupCommands } from './group-commands.ts'
import { useBoards } from './use-boards.ts'

/** The commands on a group in its menus. */
export function GroupMenuItems({ path, isFolded }: { path: string; isFolded: boolean }) {
  const api = useGallery()
  const boards = useBoards() ?? []
  return <CommandItems commands={groupCommands(api, { path, boards, isFolded })} />
}
