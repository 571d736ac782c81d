import {
  Archive,
  ArchiveRestore,
  Download,
  ExternalLink,
  FolderOpen,
  PencilLine,
  Trash2,
  Upload,
} from 'lucide-react'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import type { Command } from '#gallery/ui/menu.tsx'
import { formatPlace } from '#gallery/url/place.ts'
import { goTo, placeAfter } from '#gallery/url/use-place.ts'
import { archiveBoard } from './board-changes.ts'
import { deleteAsked, renameAsked } from './board-list-store.ts'
import type { BoardFiles } from './board-row.tsx'

interface BoardCommandOptions {
  /** False for a board of another account. */
  canChange: boolean
  files: Pick<BoardFiles, 'upload' | 'download'>
  onOpen: () => void
}

/** The commands on a board, for its menus and keys. */
export function boardCommands(board: Board, options: BoardCommandOptions): Command[] {
  const { canChange, files, onOpen } = options
  const place = { board: board.board_id, image: null, query: '' }
  const use: Command[] = [
    {
      id: 'open',
      label: 'Open',
      icon: FolderOpen,
      group: 'view',
      keys: 'Enter',
      areKeysNative: true,
      run: () => {
        goTo(place)
        onOpen()
      },
    },
    {
      id: 'openInNewTab',
      label: 'Open in a new tab',
      icon: ExternalLink,
      group: 'view',
      run: () => void window.open(formatPlace(placeAfter(place)), '_blank', 'noopener'),
    },
    {
      id: 'upload',
      label: 'Upload to this board…',
      icon: Upload,
      group: 'files',
      run: () => files.upload(board),
    },
    {
      id: 'download',
      label: 'Download board',
      icon: Download,
      group: 'files',
      isDisabled: board.image_count === 0,
      run: () => files.download(board),
    },
  ]
  if (!canChange) return use
  return [
    ...use,
    {
      id: 'rename',
      label: 'Rename',
      icon: PencilLine,
      group: 'change',
      keys: 'F2',
      run: () => renameAsked(board.board_id),
    },
    board.archived
      ? {
          id: 'archive',
          label: 'Unarchive',
          icon: ArchiveRestore,
          group: 'change',
          run: () => archiveBoard(board, false),
        }
      : {
          id: 'archive',
          label: 'Archive',
          icon: Archive,
          group: 'change',
          run: () => archiveBoard(board),
        },
    {
      id: 'delete',
      label: 'Delete board…',
      icon: Trash2,
      group: 'delete',
      keys: 'Delete',
      keyLabel: 'Delete the board',
      isDanger: true,
      run: () => deleteAsked(board),
    },
  ]
}
