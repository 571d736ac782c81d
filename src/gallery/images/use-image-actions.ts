import { useMemo } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import { copyImages } from '#gallery/api/copy-images.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { metadataPart, metadataQueries } from '#gallery/api/images/metadata-queries.ts'
import { openProcessDialog } from '#gallery/api/process/process-request.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import type { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import {
  cachedPosition,
  currentTargets,
  nextAfterDelete,
  type Targets,
  targetRecords,
} from '#gallery/images/selection/selected-images.ts'
import {
  invertSelection,
  selectAfterDelete,
  selectAll,
} from '#gallery/images/selection/selection-store.ts'
import { cutImages, pasteCut } from '#gallery/images/selection/use-cut-and-paste.ts'
import { copyPicture, copyText } from '#gallery/ui/copy-text.ts'
import { showDetails } from '#gallery/ui/details-preference.ts'
import { fileNameOf } from '#gallery/ui/text/names.ts'
import { showToast } from '#gallery/ui/toast.tsx'
import { formatPlace } from '#gallery/url/place.ts'
import { placeAfter } from '#gallery/url/use-place.ts'
import { downloadImages, downloadWorkflow } from './download-images.ts'

/** A request for a target board to move or copy images to. */
export interface MoveRequest {
  readonly verb: 'Move' | 'Copy'
  readonly count: number
  readonly placeOn: (boardId: string) => void
}

/** The actions on images, one for each command of image-commands.ts. Each determines its targets when it runs. */
export interface ImageActions {
  /** Opens the image in the viewer. */
  open(): void
  openInNewTab(): void
  showDetails(): void
  /** Stars the images, or unstars them if all are starred. */
  toggleStar(): void
  move(): void
  /** Needs a server with a queue. */
  copy(): void
  /** Needs a server with a queue. */
  process(): void
  download(): void
  downloadWorkflow(): void
  copyPicture(): void
  copyPrompt(): void
  copySeed(): void
  copyName(): void
  cut(): void
  paste(): void
  selectAll(): void
  invert(): void
  trash(): void
  /** Only in the trash, as is {@link ImageActions.deleteForGood}. */
  restore(): void
  deleteForGood(): void
}

/** The actions of a grid. */
export interface GridActions extends Partial<ImageActions> {
  star?(imageNames: readonly string[], starred: boolean): void
}

/** The actions and captions that a grid supports. Must be a stable object. */
export interface GridKind {
  readonly actionsOf: (options: GridOptions) => GridActions
  /** True if images can be dragged to boards and cut. */
  readonly canMove: boolean
  /** Returns lines of text shown over each image. */
  readonly captionOf?: (record: ImageRecord) => readonly string[]
}

interface GridOptions {
  api: GalleryApi
  grid: GridHandle
  onOpen: (imageName: string) => void
}

interface ImageActionsOptions extends GridOptions {
  onMove: (request: MoveRequest) => void
  onProcess: (targets: Targets) => void
}

/** Returns the actions on the images of {@link currentTargets}, for the selection bar, the menus and the shortcuts. */
export function imageActionsOf(options: ImageActionsOptions) {
  const { api, grid, onMove, onProcess } = options
  const withTargets = targetsFor(options)
  return {
    ...commonActions(options),
    toggleStar: withTargets(({ images }) => {
      api.outbox.star(
        images,
        targetRecords(grid.now).some(({ starred }) => !starred),
      )
    }),
    star: (imageNames, starred) => void api.outbox.star(imageNames, starred),
    trash: withTargets(({ images }) => {
      const selectNext = nextSelection(options)
      api.outbox.trash(images)
      selectNext()
    }),
    move: withTargets(({ count, moveTo }) => onMove({ verb: 'Move', count, placeOn: moveTo })),
    copy: withTargets((targets) => {
      const placeOn = (boardId: string) => void copyImages(api, targets, boardId)
      onMove({ verb: 'Copy', count: targets.count, placeOn })
    }),
    process: withTargets(onProcess),
    download: withTargets((targets) => void download(api, targets, targetRecords(grid.now))),
    cut: withTargets(cutImages),
    paste: () => void pasteCut(api.outbox, grid.now.view.boardId),
  } satisfies GridActions
}

/** A request to confirm a permanent delete. */
export interface DeleteRequest {
  /** Returns the images to delete. They do not change if the selection changes before the confirmation. */
  readonly names: () => Promise<readonly string[]>
  /** Call it before the images disappear, and its result afterwards. The result selects the next image. */
  readonly onDelete: () => () => void
}

interface TrashActionsOptions extends GridOptions {
  onDelete: (request: DeleteRequest) => void
}

/** Returns the actions on images in the trash. */
export function trashActionsOf(options: TrashActionsOptions) {
  const { api } = options
  const withTargets = targetsFor(options)
  const { downloadWorkflow: _, ...common } = commonActions(options)
  return {
    ...common,
    restore: withTargets(({ images }) => {
      const selectNext = nextSelection(options)
      api.outbox.restore(images)
      selectNext()
    }),
    deleteForGood: withTargets(({ namesForRemoval }) =>
      options.onDelete({ names: namesForRemoval, onDelete: () => nextSelection(options) }),
    ),
  } satisfies GridActions
}

/** Wraps an action so that it runs on the current targets, if there are any. */
const targetsFor =
  ({ api, grid }: GridOptions) =>
  (act: (targets: Targets) => void) =>
  () => {
    const targets = currentTargets(api, grid.now)
    if (targets !== null) act(targets)
  }

/** Call it before the targets disappear, and its result afterwards. The result selects the next image. */
function nextSelection({ api, grid }: GridOptions): () => void {
  const next = nextAfterDelete(grid.now)
  return () => {
    const position = next && cachedPosition(api.queryClient, grid.now, next.imageName)
    selectAfterDelete(next && { ...next, position: position ?? next.position })
  }
}

/** Returns the actions that boards and the trash have in common. */
function commonActions({ api, grid, onOpen }: GridOptions) {
  const single = (): ImageRecord | null => {
    const [image, ...others] = targetRecords(grid.now)
    return image && others.length === 0 ? image : null
  }
  const together = (image: ImageRecord) =>
    metadataPart(grid.now.windows, cachedPosition(api.queryClient, grid.now, image.image_name))
  return {
    ...singleActions({ api, single, together, onOpen }),
    selectAll: selectAll,
    invert: invertSelection,
  }
}

/** Returns the grid of a board, of Assets or of all images. */
export const useBoardGrid = (onMove: (request: MoveRequest) => void): GridKind =>
  useMemo(
    () => ({
      actionsOf: (options) => imageActionsOf({ ...options, onMove, onProcess: openProcessDialog }),
      canMove: true,
    }),
    [onMove],
  )

/** Returns the grid of the trash. */
export const useTrashGrid = (
  onDelete: (request: DeleteRequest) => void,
  captionOf: (record: ImageRecord) => readonly string[],
): GridKind =>
  useMemo(
    () => ({
      actionsOf: (options) => trashActionsOf({ ...options, onDelete }),
      canMove: false,
      captionOf,
    }),
    [onDelete, captionOf],
  )

interface SingleOptions {
  api: GalleryApi
  /** Returns the image to act on; `null` if none or several are selected. */
  single: () => ImageRecord | null
  /** Returns the images whose metadata is fetched in the same request. */
  together: (image: ImageRecord) => readonly string[]
  onOpen: (imageName: string) => void
}

/** Returns the actions that need a single image. */
function singleActions({ api, single, together, onOpen }: SingleOptions) {
  const withImage = (act: (image: ImageRecord) => void) => () => {
    const image = single()
    if (image !== null) act(image)
  }
  const copyOfMetadata = (what: string, pick: (metadata: NormalMetadata) => Value) =>
    withImage((image) => {
      const query = metadataQueries(api.client).normal(image.image_name, together(image))
      void copyWhenKnown(what, api.queryClient.fetchQuery(query), pick)
    })
  return {
    open: withImage(({ image_name }) => onOpen(image_name)),
    openInNewTab: withImage(({ image_name }) => {
      window.open(formatPlace(placeAfter({ image: image_name })), '_blank', 'noopener')
    }),
    showDetails: withImage(({ image_name }) => {
      showDetails()
      onOpen(image_name)
    }),
    downloadWorkflow: withImage((image) => void downloadWorkflow(api, image)),
    copyPicture: withImage((image) => {
      void copyPicture(api.client.images.fullUrl(image)).then((isCopied) =>
        showToast(isCopied ? { title: 'Image copied' } : COPY_REFUSED),
      )
    }),
    copyPrompt: copyOfMetadata('Prompt', ({ prompt }) => prompt),
    copySeed: copyOfMetadata('Seed', ({ seed }) => seed),
    copyName: withImage((image) => void copyAndSay('File name', fileNameOf(image))),
  }
}

type Value = string | number | null

const COPY_REFUSED = { title: 'The browser did not allow copying.', tone: 'danger' } as const

async function copyWhenKnown(
  what: string,
  metadata: Promise<NormalMetadata | null>,
  pick: (metadata: NormalMetadata) => Value,
): Promise<void> {
  try {
    const known = await metadata
    await copyAndSay(what, String((known && pick(known)) ?? ''))
  } catch (error) {
    const title = `Could not load the ${what.toLowerCase()}`
    showToast({ tone: 'danger', title, description: reasonOf(error) })
  }
}

async function copyAndSay(what: string, text: string): Promise<void> {
  showToast((await copyText(text)) ? { title: `${what} copied` } : COPY_REFUSED)
}

interface ViewerActionsOptions {
  api: GalleryApi
  image: ImageRecord
  /** Images whose metadata is fetched in the same request. */
  together: readonly string[]
  onMove: (request: MoveRequest) => void
  /** Shows the next image, then removes this one. */
  onRemove: (remove: () => void) => void
  onDetails: () => void
}

/** Returns the actions on the image in the viewer. There are no selection commands. */
export function viewerActionsOf(options: ViewerActionsOptions): Partial<ImageActions> {
  const { api, image, onMove, onRemove } = options
  const names = [image.image_name]
  const targets = { count: 1, names: () => Promise.resolve(names) }
  return {
    ...viewedActions(options),
    toggleStar: () => void api.outbox.star(names, !image.starred),
    move: () =>
      onMove({
        verb: 'Move',
        count: 1,
        placeOn: (boardId) => void api.outbox.move(names, boardId),
      }),
    copy: () =>
      onMove({
        verb: 'Copy',
        count: 1,
        placeOn: (boardId) => void copyImages(api, targets, boardId),
      }),
    process: () => openProcessDialog(targets),
    download: () => void downloadImages(api, names, [image]),
    trash: () => onRemove(() => void api.outbox.trash(names)),
  }
}

interface TrashViewerOptions extends Omit<ViewerActionsOptions, 'onMove'> {
  onDelete: (request: DeleteRequest) => void
}

/** Returns the actions on an image of the trash in the viewer. */
export function trashViewerActionsOf(options: TrashViewerOptions): Partial<ImageActions> {
  const { api, image, onRemove, onDelete } = options
  const names = [image.image_name]
  const { downloadWorkflow: _, ...common } = viewedActions(options)
  return {
    ...common,
    restore: () => onRemove(() => void api.outbox.restore(names)),
    deleteForGood: () =>
      onDelete({
        names: () => Promise.resolve(names),
        onDelete: () => {
          onRemove(() => {})
          return () => {}
        },
      }),
  }
}

/** Returns the viewer's actions that boards and the trash have in common. */
function viewedActions({ api, image, together, onDetails }: ViewedOptions) {
  const { open: _, ...single } = singleActions({
    api,
    single: () => image,
    together: () => together,
    onOpen: () => {},
  })
  return { ...single, showDetails: onDetails }
}

type ViewedOptions = Pick<ViewerActionsOptions, 'api' | 'image' | 'together' | 'onDetails'>

async function download(
  api: GalleryApi,
  targets: Targets,
  known: readonly ImageRecord[],
): Promise<void> {
  try {
    await downloadImages(api, await targets.names(), known)
  } catch (error) {
    showToast({
      tone: 'danger',
      title: 'Could not load the names of the selected images',
      description: reasonOf(error),
      action: { label: 'Retry', run: () => void download(api, targets, known) },
    })
  }
}
