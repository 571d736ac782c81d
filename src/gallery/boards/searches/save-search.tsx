import { BookmarkPlus, Save } from 'lucide-react'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { useBoardName } from '#gallery/boards/use-boards.ts'
import { IconButton } from '#gallery/ui/button.tsx'
import type { Command } from '#gallery/ui/commands/command.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { showToast } from '#gallery/ui/toasts/toast.tsx'
import { usePlace } from '#gallery/url/use-place.ts'
import { attempt } from './search-commands.ts'
import { areSameSearches, searchOfPlace } from './search-place.ts'
import { askToSave, useOpenSearch } from './search-store.ts'

/** Saves the search of the page, or its changes. Not shown without a search, and if nothing has changed. */
export function SaveSearch() {
  const { searches } = useGallery()
  const place = usePlace()
  const isOffered = useHasExtension('saved_searches')
  const boardName = useBoardName(place.board)
  const open = useOpenSearch()
  const isSearching = place.query.trim() !== ''
  const content = searchOfPlace({ ...place, query: place.query.trim() }, boardName)
  const isSaved = open !== undefined && areSameSearches(open, content)
  const save: Command = {
    id: 'search.save',
    label: 'Save this search…',
    name: 'Save the search',
    icon: BookmarkPlus,
    keys: 'Shift+B',
    disabledReason: isSearching ? undefined : 'No search',
    run: () => isSearching && askToSave({ ...content, name: '', icon: open?.icon ?? null }),
  }
  const update: Command = {
    id: 'search.update',
    label: 'Update saved search',
    icon: Save,
    disabledReason:
      open === undefined ? 'No saved search is open' : isSaved ? 'Unchanged' : undefined,
    run: () => {
      if (open === undefined || isSaved || !isSearching) return
      void attempt(open, 'updated', async () => {
        const undo = await searches.change(open, content, 'changed')
        showToast({
          title: `Updated “${isolated(open.name)}”`,
          action: { label: 'Undo', run: undo },
        })
      })
    },
  }
  useCommands('View', isOffered ? [save, update] : [])
  if (!isOffered || !isSearching || isSaved) return null
  return (
    <span className="-my-2 flex shrink-0 items-center pointer-coarse:-my-3.5">
      {open !== undefined && (
        <IconButton label="Update saved search" icon={Save} onClick={() => update.run()} />
      )}
      <IconButton
        label={open === undefined ? 'Save this search' : 'Save as another search'}
        icon={BookmarkPlus}
        commandId="search.save"
        onClick={() => save.run()}
      />
    </span>
  )
}
