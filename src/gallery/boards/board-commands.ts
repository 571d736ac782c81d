import {
  Archive,
  ArchiveRestore,
  ArrowDown,
  ArrowUp,
  Download,
  ExternalLink,
  FileDown,
  FolderOpen,
  ImageOff,
  Link,
  PencilLine,
  Pin,
  PinOff,
  Text,
  Trash2,
  Upload,
} from 'lucide-react'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import { createBoard } from '#gallery/api/boards/create-board.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { itemCountOf } from '#gallery/api/images/noun.ts'
import type { Command } from '#gallery/ui/commands/command.ts'
import { copyText } from '#gallery/ui/copy-text.ts'
import { closeSidebar } from '#gallery/ui/sidebar-store.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { showFailure, showToast } from '#gallery/ui/toasts/toast.tsx'
import { formatPlace } from '#gallery/url/place.ts'
import { ALL_BOARDS } from '#gallery/url/place-order.ts'
import { currentPlace, goTo, placeAfter } from '#gallery/url/use-place.ts'
import type { BoardFiles } from './board-files.ts'
import { askForDescription, askToDeleteBoard, startRename } from './board-list-store.ts'

/** Returns the commands that open a board or another place, such as Assets. */
export function viewCommands(boardId: string, kind: 'board' | 'place' = 'place'): Command[] {
  const place = { board: boardId, image: null, query: '' }
  return [
    {
      id: `${kind}.open`,
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
      id: `${kind}.openInNewTab`,
      label: 'Open in a new tab',
      icon: ExternalLink,
      group: 'view',
      keys: '$mod+Enter',
      areKeysNative: true,
      run: () => void window.open(formatPlace(placeAfter(place)), '_blank', 'noopener'),
    },
    {
      id: `${kind}.copyLink`,
      label: 'Copy link',
      icon: Link,
      group: 'view',
      ...(kind === 'board' && { keys: 'Shift+L' }),
      run: () => void copyLink(formatPlace(placeAfter(place))),
    },
  ]
}

/** The moves of a board in the order by hand; null if there is no row to pass. */
export interface BoardMoves {
  up: (() => void) | null
  down: (() => void) | null
}

interface BoardCommandOptions {
  /** False for a board of another account. */
  canChange: boolean
  files: Pick<BoardFiles, 'upload' | 'download' | 'downloadAs'>
  /** null unless the boards are in the order by hand. */
  moves: BoardMoves | null
}

/** Returns the commands on a board, for its menus and shortcuts. */
export function boardCommands(
  api: GalleryApi,
  board: Board,
  { canChange, files, moves }: BoardCommandOptions,
): Command[] {
  const use: Command[] = [
    ...viewCommands(board.board_id, 'board'),
    {
      id: 'board.upload',
      label: 'Upload to this board…',
      name: 'Upload to the board',
      icon: Upload,
      group: 'files',
      keys: 'b',
      run: () => files.upload(board),
    },
    {
      id: 'board.download',
      label: 'Download as zip',
      name: 'Download the board as zip',
      icon: Download,
      group: 'files',
      keys: 'Shift+D',
      disabledReason: itemCountOf(board) === 0 ? 'No images' : undefined,
      run: () => files.download(board),
    },
    {
      id: 'board.downloadAs',
      label: 'Download…',
      name: 'Download the board in another form',
      icon: FileDown,
      group: 'files',
      keys: 'Shift+X',
      disabledReason: itemCountOf(board) === 0 ? 'No images' : undefined,
      run: () => files.downloadAs(board),
    },
  ]
  if (!canChange) return use
  return [
    ...use,
    {
      id: 'board.rename',
      label: 'Rename',
      name: 'Rename the board',
      icon: PencilLine,
      group: 'change',
      keys: 'F2',
      run: () => startRename(board.board_id),
    },
    // InvokeAI has neither.
    ...(api.capabilities.isInvokeAi
      ? []
      : [
          {
            id: 'board.describe',
            label: board.description ? 'Edit description…' : 'Add description…',
            name: 'Edit the description of the board',
            icon: Text,
            group: 'change',
            run: () => askForDescription(board),
          },
          {
            id: 'board.pin',
            label: board.starred ? 'Unpin' : 'Pin to the top',
            name: 'Pin or unpin the board',
            keys: 'p',
            icon: board.starred ? PinOff : Pin,
            group: 'change',
            run: () => void api.outbox.changeBoard(board, 'board_pinned', board.starred !== true),
          },
        ]),
    ...(moves === null
      ? []
      : [
          {
            id: 'board.moveUp',
            label: 'Move up',
            name: 'Move the board up',
            keys: 'Alt+ArrowUp',
            icon: ArrowUp,
            group: 'order',
            disabledReason: moves.up ? undefined : 'Already first',
            run: () => moves.up?.(),
          },
          {
            id: 'board.moveDown',
            label: 'Move down',
            name: 'Move the board down',
            keys: 'Alt+ArrowDown',
            icon: ArrowDown,
            group: 'order',
            disabledReason: moves.down ? undefined : 'Already last',
            run: () => moves.down?.(),
          },
        ]),
    {
      id: 'board.archive',
      label: board.archived ? 'Unarchive' : 'Archive',
      name: 'Archive or unarchive the board',
      keys: 'a',
      icon: board.archived ? ArchiveRestore : Archive,
      group: 'change',
      run: () => void api.outbox.changeBoard(board, 'board_archived', !board.archived),
    },
    // InvokeAI neither says whether the cover was chosen nor takes it back.
    ...(board.chosen_cover_image_name
      ? [
          {
            id: 'board.resetCover',
            label: 'Use the automatic cover',
            icon: ImageOff,
            group: 'change',
            run: () => void api.outbox.changeBoard(board, 'board_cover', ''),
          },
        ]
      : []),
    {
      id: 'board.delete',
      label: 'Delete board…',
      icon: Trash2,
      group: 'delete',
      keys: 'Delete',
      name: 'Delete the board',
      isDanger: true,
      run: () => askToDeleteBoard(board),
    },
  ]
}

/** Copies the link of a place, and says so. */
export async function copyLink(address: string): Promise<void> {
  const isCopied = await copyText(new URL(address, window.location.href).href)
  showToast(isCopied ? { title: 'Link copied' } : COPY_REFUSED)
}

const COPY_REFUSED = { title: 'The browser did not allow copying.', tone: 'danger' } as const

/** Opens the created board if the user opened its placeholder meanwhile, or all images if it was not created. */
const leavePlaceholder = (placeholderId: string, board: Board | null): void => {
  if (currentPlace().board !== placeholderId) return
  goTo({ board: board?.board_id ?? ALL_BOARDS }, { replace: true })
}

/** Creates a board. On failure, shows a toast with Retry and returns null. */
export async function makeBoard(api: GalleryApi, boardName: string): Promise<Board | null> {
  try {
    return await createBoard(api, boardName, leavePlaceholder)
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
