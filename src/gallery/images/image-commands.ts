import {
  Award,
  CalendarDays,
  ClipboardPaste,
  Columns2,
  Copy,
  Download,
  ExternalLink,
  FileDown,
  FileJson,
  FolderInput,
  GalleryThumbnails,
  Hash,
  Image,
  ImageOff,
  Info,
  Link,
  type LucideIcon,
  Maximize2,
  ScanSearch,
  Scissors,
  Sparkles,
  SquareCheckBig,
  SquareDashedMousePointer,
  Star,
  StarOff,
  Tag,
  TextQuote,
  TextSearch,
  Trash2,
  Type,
  Undo2,
  Wand,
} from 'lucide-react'
import type { ImageRecord } from '#contract/image.ts'
import { undrawableFormat } from '#contract/image-formats.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import { compareRefusal } from '#gallery/api/images/compare-request.ts'
import type { Command } from '#gallery/ui/commands/command.ts'
import { canCopyPictures } from '#gallery/ui/copy-text.ts'
import { countOf } from '#gallery/ui/text/count.ts'
import type { ImageActions } from './use-image-actions.ts'

/** The state from which the commands and their labels are derived. */
export interface CommandState {
  /** Number of images that the commands act on. */
  readonly count: number
  /** Number of images that would be compared. In the viewer, another one joins the viewed image. */
  readonly comparedCount: number
  /** The image, if it is a single one whose record is loaded. */
  readonly image: ImageRecord | null
  readonly areAllStarred: boolean
  /** True if some of the loaded images are videos. */
  readonly hasVideos: boolean
  /** True if the server finds images that are alike. */
  readonly hasLikeness: boolean
  /** False if the server copies only images. */
  readonly canCopyVideos: boolean
  /** Number of loaded images whose board is in the trash too. They are restored to Assets. */
  readonly toAssetsCount: number
  /** True if all images of the view are selected. */
  readonly isAll: boolean
  readonly hasQueue: boolean
  readonly hasRatings: boolean
  readonly hasTags: boolean
  /** The rating that all loaded images have. null: they differ. */
  readonly rating: number | null
  readonly canDownloadSeveral: boolean
  /** True if the server converts images and removes their metadata. */
  readonly canConvert: boolean
  readonly canCopyPictures: boolean
  /** True if images were cut and can be moved to the open board. */
  readonly canPaste: boolean
  /** True if the view is ordered by a date whose days the server counts. */
  readonly hasDays: boolean
  /** True if the image can become the cover of its board. */
  readonly canSetCover: boolean
  /** Metadata of `image`; `undefined` while it loads; `later` if the command loads it. */
  readonly metadata: NormalMetadata | null | undefined | 'later'
}

interface ImageVerb
  extends Omit<Command, 'group' | 'icon' | 'disabledReason' | 'isCurrent' | 'run'> {
  readonly id: keyof ImageActions
  readonly icon: LucideIcon
  /** Label and icon if all images are starred. */
  readonly ifStarred?: { readonly label: string; readonly icon: LucideIcon }
  /** Returns a label that depends on the state. */
  readonly labelOf?: (state: CommandState) => string
  /** Priority for a place in the selection bar; without a rank, a command is always in its menu. */
  readonly rank?: number
  /** Absent: shown if there are images to act on. */
  readonly isShown?: (state: CommandState) => boolean
  readonly disabledReason?: (state: CommandState) => string | undefined
  readonly isCurrent?: (state: CommandState) => boolean
}

/** A command for one or several images, with its rank in the selection bar. */
export interface ImageCommand extends Command {
  readonly icon: LucideIcon
  readonly rank?: number
}

const isSingle = ({ count }: CommandState) => count === 1
const hasImages = ({ count }: CommandState) => count > 0
const hasQueue = (state: CommandState) => hasImages(state) && state.hasQueue
/** Returns true if browsers can render the file, and therefore copy it as an image. */
const isDrawable = ({ image }: CommandState) =>
  image?.video == null && undrawableFormat(image?.media_type ?? null) === null
const notForVideos = ({ hasVideos }: CommandState) => (hasVideos ? 'Not for videos' : undefined)

/** Returns true if the server can make a PNG of the file. */
const isStill = ({ image }: CommandState) => image?.video == null && image?.is_animated !== true

/** Returns the reason if the file lacks a value that a command needs. */
const withoutValue =
  (what: string, pick: (metadata: NormalMetadata) => unknown) =>
  ({ metadata }: CommandState): string | undefined => {
    if (metadata === 'later') return undefined
    if (metadata === undefined) return 'Loading…'
    return metadata === null || (pick(metadata) ?? '') === '' ? `No ${what}` : undefined
  }
const promptOf = ({ prompt }: NormalMetadata) => prompt
const seedOf = ({ seed }: NormalMetadata) => seed
/** Returns a value that similar images share. */
const parameterOf = ({ prompt, model }: NormalMetadata) => prompt || model

/** One command for each rating, the best first. */
const ratings = ([5, 4, 3, 2, 1, 0] as const).map(
  (rating): ImageVerb => ({
    id: `rate${rating}`,
    label: rating === 0 ? 'No rating' : '★'.repeat(rating),
    name: rating === 0 ? 'Remove the rating' : `Rate with ${countOf(rating, 'star')}`,
    icon: rating === 0 ? StarOff : Star,
    keys: String(rating),
    submenu: { label: 'Rate', icon: Award },
    ...(rating === 5 && { rank: 6 }),
    isShown: (state) => hasImages(state) && state.hasRatings,
    isCurrent: (state) => state.rating === rating,
  }),
)

/** All commands by group, in menu order. */
const groups: Readonly<Record<string, readonly ImageVerb[]>> = {
  view: [
    { id: 'open', label: 'Open', icon: Maximize2, keys: 'Enter', isShown: isSingle },
    {
      id: 'openInNewTab',
      label: 'Open in a new tab',
      icon: ExternalLink,
      keys: '$mod+Enter',
      isShown: isSingle,
    },
    { id: 'showDetails', label: 'Details', icon: Info, keys: 'i', isShown: isSingle },
    {
      id: 'moreLikeThis',
      label: 'More like this',
      icon: Sparkles,
      keys: 'Shift+L',
      isShown: (state) => isSingle(state) && state.hasLikeness,
    },
    {
      id: 'searchSimilarPrompt',
      label: 'Search for similar prompts',
      icon: TextSearch,
      keys: 'Shift+V',
      isShown: (state) => isSingle(state) && state.hasLikeness,
      disabledReason: withoutValue('prompt', promptOf),
    },
    {
      id: 'searchSimilar',
      label: 'Search for similar parameters',
      icon: ScanSearch,
      keys: 'l',
      isShown: isSingle,
      disabledReason: withoutValue('parameters', parameterOf),
    },
    {
      id: 'compare',
      label: 'Compare',
      icon: Columns2,
      keys: 'c',
      name: 'Compare images',
      rank: 10,
      disabledReason: ({ comparedCount }) => compareRefusal(comparedCount),
    },
  ],
  change: [
    {
      id: 'restore',
      label: 'Restore',
      labelOf: ({ count, toAssetsCount }) => {
        if (toAssetsCount === 0) return 'Restore'
        return toAssetsCount === count ? 'Restore to Assets' : 'Restore (some to Assets)'
      },
      icon: Undo2,
      keys: 'r',
      rank: 1,
    },
    {
      id: 'restoreTo',
      label: 'Restore to board…',
      icon: FolderInput,
      keys: 'm',
      name: 'Restore to a board',
      rank: 3,
    },
    {
      id: 'toggleStar',
      label: 'Star',
      icon: Star,
      ifStarred: { label: 'Unstar', icon: StarOff },
      keys: 's',
      name: 'Star or unstar',
      rank: 5,
    },
    ...ratings,
    {
      id: 'tag',
      label: 'Tags…',
      icon: Tag,
      keys: 't',
      name: 'Add or remove tags',
      rank: 7,
      isShown: (state) => hasImages(state) && state.hasTags,
    },
    {
      id: 'move',
      label: 'Move to board…',
      icon: FolderInput,
      keys: 'm',
      name: 'Move to a board',
      rank: 2,
    },
    {
      id: 'copy',
      label: 'Copy to board…',
      icon: Copy,
      keys: 'Shift+M',
      name: 'Copy to a board',
      isShown: hasQueue,
      disabledReason: (state) => (state.canCopyVideos ? undefined : notForVideos(state)),
    },
    {
      id: 'setCover',
      label: 'Set as board cover',
      icon: GalleryThumbnails,
      keys: 'b',
      isShown: (state) => isSingle(state) && state.canSetCover,
    },
    {
      id: 'process',
      label: 'Process…',
      icon: Wand,
      keys: 'p',
      name: 'Process',
      isShown: hasQueue,
      disabledReason: notForVideos,
    },
  ],
  copy: [
    {
      id: 'download',
      label: 'Download',
      icon: Download,
      keys: 'Shift+D',
      rank: 8,
      isShown: (state) => hasImages(state) && (isSingle(state) || state.canDownloadSeveral),
    },
    {
      id: 'downloadAs',
      label: 'Download…',
      icon: FileDown,
      keys: 'Shift+X',
      name: 'Download in another form',
    },
    {
      id: 'downloadWorkflow',
      label: 'Download workflow',
      icon: FileJson,
      keys: 'Shift+W',
      // A key also applies to an image that is not loaded.
      isShown: (state) => isSingle(state) && state.image?.has_workflow !== false,
    },
    {
      id: 'copyPicture',
      label: 'Copy image',
      icon: Image,
      keys: 'Shift+C',
      isShown: (state) => isSingle(state) && state.canCopyPictures && isDrawable(state),
    },
    {
      id: 'copyWithoutMetadata',
      label: 'Copy image without metadata',
      icon: ImageOff,
      keys: 'Shift+Y',
      isShown: (state) =>
        isSingle(state) && state.canCopyPictures && state.canConvert && isStill(state),
    },
    {
      id: 'copyPrompt',
      label: 'Copy prompt',
      icon: TextQuote,
      keys: 'Shift+P',
      isShown: isSingle,
      disabledReason: withoutValue('prompt', promptOf),
    },
    {
      id: 'copySeed',
      label: 'Copy seed',
      icon: Hash,
      keys: 'Shift+E',
      isShown: isSingle,
      disabledReason: withoutValue('seed', seedOf),
    },
    { id: 'copyLink', label: 'Copy link', icon: Link, keys: 'Shift+K', isShown: isSingle },
    { id: 'copyName', label: 'Copy file name', icon: Type, keys: 'Shift+F', isShown: isSingle },
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
      rank: 4,
      isShown: ({ isAll }) => !isAll,
    },
    {
      id: 'selectDay',
      label: 'Select all from this day',
      icon: CalendarDays,
      keys: 'd',
      isShown: (state) => isSingle(state) && state.hasDays,
    },
    {
      id: 'invert',
      label: 'Invert selection',
      icon: SquareDashedMousePointer,
      keys: '$mod+i',
      rank: 9,
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
      name: 'Delete for good',
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
  return verbs.flatMap((one) => {
    const { isShown = hasImages, disabledReason, isCurrent, ifStarred, labelOf, ...verb } = one
    const run = actions[verb.id]
    if (run === undefined || !isShown(state)) return []
    const name = state.areAllStarred ? ifStarred : undefined
    const label = labelOf?.(state) ?? verb.label
    const reason = disabledReason?.(state)
    const mark = isCurrent?.(state) ? { isCurrent: true } : {}
    return [{ ...verb, label, ...name, ...mark, disabledReason: reason, run: () => run() }]
  })
}

/** Returns the state for one image without a record, as for shortcuts: each action determines its targets when it runs. */
export const keyState = (
  has: Pick<CommandState, 'hasQueue' | 'hasRatings' | 'hasTags' | 'hasLikeness' | 'canConvert'>,
): CommandState => ({
  ...has,
  count: 1,
  comparedCount: 2,
  image: null,
  areAllStarred: false,
  hasVideos: false,
  canCopyVideos: true,
  toAssetsCount: 0,
  isAll: false,
  rating: null,
  canDownloadSeveral: true,
  canCopyPictures: canCopyPictures(),
  canPaste: true,
  hasDays: true,
  canSetCover: true,
  metadata: 'later',
})
