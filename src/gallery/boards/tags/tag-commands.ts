import { FolderOpen, Palette, PencilLine, Tag as TagIcon, Trash2 } from 'lucide-react'
import { TagColor } from '#contract/search/tags.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import type { TagRequest } from '#gallery/api/journal/recipe.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import type { Command } from '#gallery/ui/commands/command.ts'
import { closeSidebar } from '#gallery/ui/sidebar-store.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { showFailure, showToast } from '#gallery/ui/toasts/toast.tsx'
import { goTo } from '#gallery/url/use-place.ts'
import { placeOfTag } from './marks.ts'
import { askToRenameTag } from './tag-store.ts'
import type { TagRow } from './tag-tree.ts'

type Api = Pick<GalleryApi, 'tags'>

/** Changes a tag and offers Undo, or says why it could not be changed. */
export async function changeTag(
  api: Api,
  request: TagRequest,
  titleOf: (merged: number) => string,
): Promise<void> {
  try {
    const { change, undo } = await api.tags.change(request)
    showToast({ title: titleOf(change.merged), action: { label: 'Undo', run: undo } })
  } catch (error) {
    const title = `The tag “${isolated(request.name)}” could not be changed`
    showFailure(title, reasonOf(error), () => void changeTag(api, request, titleOf))
  }
}

const COLORS = [null, ...TagColor.enum] as const

/** Returns the commands on a tag, for its menu and its shortcuts. */
export function tagCommands(api: Api, row: TagRow): Command[] {
  const { name, tag } = row
  const current = tag?.color ?? null
  return [
    {
      id: 'tag.open',
      label: 'Open',
      name: 'Open the tag',
      icon: FolderOpen,
      group: 'view',
      keys: 'Enter',
      areKeysNative: true,
      run: () => {
        goTo(placeOfTag(row))
        closeSidebar()
      },
    },
    {
      id: 'tag.rename',
      label: 'Rename…',
      name: 'Rename the tag',
      icon: PencilLine,
      group: 'change',
      keys: 'F2',
      run: () => askToRenameTag(row),
    },
    ...COLORS.map(
      (color): Command => ({
        id: `tag.color.${color ?? 'none'}`,
        label: color === null ? 'No color' : capitalized(color),
        name: color === null ? 'Color of the tag: none' : `Color of the tag: ${color}`,
        icon: TagIcon,
        group: 'change',
        submenu: { label: 'Color', icon: Palette },
        isCurrent: color === current,
        run: () =>
          void changeTag(
            api,
            { name, changes: { color } },
            () => `Changed the color of “${isolated(name)}”`,
          ),
      }),
    ),
    {
      id: 'tag.delete',
      label: 'Delete tag',
      name: 'Delete the tag',
      icon: Trash2,
      group: 'delete',
      keys: 'Delete',
      isDanger: true,
      run: () =>
        void changeTag(
          api,
          { name, changes: null },
          () => `Deleted the tag “${isolated(name)}”. The images stay.`,
        ),
    },
  ]
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
