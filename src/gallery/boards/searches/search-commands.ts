import {
  ArrowDown,
  ArrowUp,
  ExternalLink,
  FolderOpen,
  Link,
  PencilLine,
  Trash2,
} from 'lucide-react'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { isSearchGone, type SavedSearch } from '#gallery/api/searches.ts'
import { copyLink } from '#gallery/boards/board-commands.ts'
import type { Command } from '#gallery/ui/commands/command.ts'
import { closeSidebar } from '#gallery/ui/sidebar-store.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { showFailure, showToast } from '#gallery/ui/toasts/toast.tsx'
import { formatPlace } from '#gallery/url/place.ts'
import { goTo, placeAfter } from '#gallery/url/use-place.ts'
import { placeOfSearch } from './search-place.ts'
import { askToRename } from './search-store.ts'

/** Shows why a change of a search failed. */
export async function attempt(
  search: Pick<SavedSearch, 'name'>,
  participle: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    const name = `“${isolated(search.name)}”`
    if (isSearchGone(error)) showToast({ title: `${name} was deleted meanwhile` })
    else
      showFailure(
        `${name} could not be ${participle}`,
        reasonOf(error),
        () => void attempt(search, participle, work),
      )
  }
}

export interface SearchMoves {
  /** The place among the others, from 0. */
  readonly index: number
  readonly count: number
  readonly moveTo: (index: number) => void
}

/** Returns the commands on a saved search, for its menus and shortcuts. */
export function searchCommands(
  { searches }: Pick<GalleryApi, 'searches'>,
  search: SavedSearch,
  { index, count, moveTo }: SearchMoves,
): Command[] {
  const place = placeOfSearch(search)
  return [
    {
      id: 'search.open',
      label: 'Open',
      name: 'Open the saved search',
      icon: FolderOpen,
      group: 'view',
      keys: 'Enter',
      areKeysNative: true,
      run: () => {
        goTo(place)
        closeSidebar()
      },
    },
    {
      id: 'search.openInNewTab',
      label: 'Open in a new tab',
      name: 'Open the saved search in a new tab',
      icon: ExternalLink,
      group: 'view',
      keys: '$mod+Enter',
      areKeysNative: true,
      run: () => void window.open(formatPlace(placeAfter(place)), '_blank', 'noopener'),
    },
    {
      id: 'search.copyLink',
      label: 'Copy link',
      name: 'Copy the link of the saved search',
      icon: Link,
      group: 'view',
      keys: 'Shift+L',
      run: () => void copyLink(formatPlace(placeAfter(place))),
    },
    {
      id: 'search.rename',
      label: 'Name and icon…',
      name: 'Change name and icon of the saved search',
      icon: PencilLine,
      group: 'change',
      keys: 'F2',
      run: () => askToRename(search),
    },
    {
      id: 'search.moveUp',
      label: 'Move up',
      name: 'Move the saved search up',
      icon: ArrowUp,
      group: 'order',
      keys: 'Alt+ArrowUp',
      disabledReason: index === 0 ? 'Already first' : undefined,
      run: () => {
        if (index > 0) moveTo(index - 1)
      },
    },
    {
      id: 'search.moveDown',
      label: 'Move down',
      name: 'Move the saved search down',
      icon: ArrowDown,
      group: 'order',
      keys: 'Alt+ArrowDown',
      disabledReason: index === count - 1 ? 'Already last' : undefined,
      run: () => {
        if (index < count - 1) moveTo(index + 1)
      },
    },
    {
      id: 'search.delete',
      label: 'Delete saved search',
      name: 'Delete the saved search',
      icon: Trash2,
      group: 'delete',
      keys: 'Delete',
      isDanger: true,
      run: () =>
        void attempt(search, 'deleted', async () => {
          const undo = await searches.remove(search)
          showToast({
            title: `Deleted the saved search “${isolated(search.name)}”`,
            description: 'Its images stay.',
            action: { label: 'Undo', run: undo },
          })
        }),
    },
  ]
}
