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
import { createBoard } from '#gallery/api/boards/create-board.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import type { Command } from '#gallery/ui/menu.tsx'
import { closeSidebar } from '#gallery/ui/sidebar-store.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { showFailure } from '#gallery/ui/toast.tsx'
import { formatPlace } from '#gallery/url/place.ts'
import { goTo, placeAfter } from '#gallery/url/use-place.ts'
import { askToDeleteBoard, startRename } from './board-list-store.ts'
import type { BoardFiles } from './board-row.tsx'

interface BoardCommandOptions {
  /** False for a board of another account. */
  canChange: boolean
  files: Pick<BoardFiles, 'upload' | 'download'>
}

/** Returns the commands on a board, for its menus and shortcuts. */
export function boardCommands(
  api: GalleryApi,
  board: Board,
  { canChange, files }: BoardCommandOptions,
): Command[] {
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
        closeSidebar()
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
      run: () => startRename(board.board_id),
    },
    {
      id: 'archive',
      label: board.archived ? 'Unarchive' : 'Archive',
      icon: board.archived ? ArchiveRestore : Archive,
      group: 'change',
      run: () => void api.outbox.changeBoard(board, 'board_archived', !board.archived),
    },
    {
      id: 'delete',
      label: 'Delete board…',
      icon: Trash2,
      group: 'delete',
      keys: 'Delete',
      keyLabel: 'Delete the board',
      isDanger: true,
      run: () => askToDeleteBoard(board),
    },
  ]
}

/** Creates a board. On failure, shows a toast with Retry and returns null. */
export async function makeBoard(api: GalleryApi, boardName: string): Promise<Board | null> {
  try {
    return await createBoard(api, boardName)
  } catch (error) {
    const detail = error instanceof Error && 'detail' in error ? String(error.detail) : undefined
    showFailure(
      `“${isolated(boardName)}” could not be created`,
      detail ?? 'The server did not answer.',
      () => void makeBoard(api, boardName),
      Infinity,
    )
    return null
  }
}
