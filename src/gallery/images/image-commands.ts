import {
  ClipboardPaste,
  Copy,
  Download,
  ExternalLink,
  FileJson,
  FolderInput,
  Hash,
  Image,
  Info,
  type LucideIcon,
  Maximize2,
  Scissors,
  SquareCheckBig,
  SquareDashedMousePointer,
  Star,
  StarOff,
  TextQuote,
  Trash2,
  Type,
  Undo2,
  Wand,
} from 'lucide-react'
import type { ImageRecord } from '#contract/image.ts'
import { undrawableFormat } from '#contract/image-formats.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import type { Command } from '#gallery/ui/menu.tsx'
import type { ImageActions } from './use-image-actions.ts'

/** The state from which the commands and their labels are derived. */
export interface CommandState {
  /** Number of images that the commands act on. */
  readonly count: number
  /** The image, if it is a single one whose record is loaded. */
  readonly image: ImageRecord | null
  readonly areAllStarred: boolean
  /** True if all images of the view are selected. */
  readonly isAll: boolean
  readonly hasQueue: boolean
  readonly canDownloadSeveral: boolean
  readonly canCopyPictures: boolean
  /** True if images were cut and can be moved to the open board. */
  readonly canPaste: boolean
  /** Metadata of `image`; `undefined` while it is not loaded. */
  readonly metadata: NormalMetadata | null | undefined
}

interface ImageVerb extends Omit<Command, 'group' | 'isDisabled' | 'run'> {
  readonly id: keyof ImageActions
  /** Label and icon if all images are starred. */
  readonly ifStarred?: { readonly label: string; readonly icon: LucideIcon }
  /** Priority for a place in the selection bar; without a rank, a command is always in its menu. */
  readonly rank?: number
  /** Absent: shown if there are images to act on. */
  readonly isShown?: (state: CommandState) => boolean
  readonly isDisabled?: (state: CommandState) => boolean
}

/** A command for one or several images, with its rank in the selection bar. */
export interface ImageCommand extends Command {
  readonly rank?: number
}

const isSingle = ({ count }: CommandState) => count === 1
const hasImages = ({ count }: CommandState) => count > 0
const hasQueue = (state: CommandState) => hasImages(state) && state.hasQueue
/** Returns true if browsers can render the file, and therefore copy it as an image. */
const isDrawable = ({ image }: CommandState) => undrawableFormat(image?.media_type ?? null) === null

/** All commands by group, in menu order. */
const groups: Readonly<Record<string, readonly ImageVerb[]>> = {
  view: [
    { id: 'open', label: 'Open', icon: Maximize2, keys: 'Enter', isShown: isSingle },
    { id: 'openInNewTab', label: 'Open in a new tab', icon: ExternalLink, isShown: isSingle },
    { id: 'showDetails', label: 'Details', icon: Info, keys: 'i', isShown: isSingle },
  ],
  change: [
    { id: 'restore', label: 'Restore', icon: Undo2, keys: 'r', rank: 1 },
    {
      id: 'toggleStar',
      label: 'Star',
      icon: Star,
      ifStarred: { label: 'Unstar', icon: StarOff },
      keys: 's',
      keyLabel: 'Star or unstar',
      rank: 4,
    },
    {
      id: 'move',
      label: 'Move to board…',
      icon: FolderInput,
      keys: 'm',
      keyLabel: 'Move to a board',
      rank: 2,
    },
    {
      id: 'copy',
      label: 'Copy to board…',
      icon: Copy,
      keys: 'Shift+M',
      keyLabel: 'Copy to a board',
      isShown: hasQueue,
    },
    {
      id: 'process',
      label: 'Process…',
      icon: Wand,
      keys: 'p',
      keyLabel: 'Process',
      isShown: hasQueue,
    },
  ],
  copy: [
    {
      id: 'download',
      label: 'Download',
      icon: Download,
      rank: 5,
      isShown: (state) => hasImages(state) && (isSingle(state) || state.canDownloadSeveral),
    },
    {
      id: 'downloadWorkflow',
      label: 'Download workflow',
      icon: FileJson,
      isShown: (state) => isSingle(state) && state.image?.has_workflow === true,
    },
    {
      id: 'copyPicture',
      label: 'Copy image',
      icon: Image,
      isShown: (state) => isSingle(state) && state.canCopyPictures && isDrawable(state),
    },
    {
      id: 'copyPrompt',
      label: 'Copy prompt',
      icon: TextQuote,
      isShown: isSingle,
      isDisabled: ({ metadata }) => !metadata?.prompt,
    },
    {
      id: 'copySeed',
      label: 'Copy seed',
      icon: Hash,
      isShown: isSingle,
      isDisabled: ({ metadata }) => (metadata?.seed ?? null) === null,
    },
    { id: 'copyName', label: 'Copy file name', icon: Type, isShown: isSingle },
  ],
  selection: [
    { id: 'cut', label: 'Cut', icon: Scissors, keys: '$mod+x', areKeysNative: true },
    {
      id: 'paste',
      label: 'Paste (move here)',
      icon: ClipboardPaste,
      keys: '$mod+v',
      areKeysNative: true,
      isShown: ({ canPaste }) => canPaste,
    },
    {
      id: 'selectAll',
      label: 'Select all',
      icon: SquareCheckBig,
      keys: '$mod+a',
      rank: 3,
      isShown: ({ isAll }) => !isAll,
    },
    {
      id: 'invert',
      label: 'Invert selection',
      icon: SquareDashedMousePointer,
      keys: '$mod+i',
      rank: 6,
      isShown: () => true,
    },
  ],
  delete: [
    {
      id: 'trash',
      label: 'Delete',
      icon: Trash2,
      keys: ['Delete', 'Backspace'],
      isDanger: true,
      rank: 1,
    },
    {
      id: 'deleteForGood',
      label: 'Delete for good…',
      icon: Trash2,
      keys: ['Delete', 'Backspace'],
      keyLabel: 'Delete for good',
      isDanger: true,
      rank: 2,
    },
  ],
}

const verbs = Object.entries(groups).flatMap(([group, members]) =>
  members.map((verb) => ({ ...verb, group })),
)

/** Returns the commands that apply now and have an action. Used by menus, bars and shortcuts. */
export function imageCommands(actions: Partial<ImageActions>, state: CommandState): ImageCommand[] {
  return verbs.flatMap(({ isShown = hasImages, isDisabled, ifStarred, ...verb }) => {
    const run = actions[verb.id]
    if (run === undefined || !isShown(state)) return []
    const name = state.areAllStarred ? ifStarred : undefined
    return [{ ...verb, ...name, isDisabled: isDisabled?.(state) ?? false, run }]
  })
}

/** Returns the state for one image without a record, as for shortcuts: each action determines its targets when it runs. */
export const keyState = (hasQueue: boolean): CommandState => ({
  count: 1,
  image: null,
  areAllStarred: false,
  isAll: false,
  hasQueue,
  canDownloadSeveral: true,
  canCopyPictures: false,
  canPaste: false,
  metadata: undefined,
})
