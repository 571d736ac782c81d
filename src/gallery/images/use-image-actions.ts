import { useMemo } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { copyImages } from '#gallery/api/copy-images.ts'
import { openDownloadDialog, requestOfImages } from '#gallery/api/downloads/download-request.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import {
  compareRefusal,
  MAX_COMPARED,
  openComparison,
} from '#gallery/api/images/compare-request.ts'
import { viewOf } from '#gallery/api/images/image-windows.ts'
import { metadataPart } from '#gallery/api/images/metadata-queries.ts'
import { type Noun, nounOfNames } from '#gallery/api/images/noun.ts'
import { openProcessDialog } from '#gallery/api/process/process-request.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { openTagDialog } from '#gallery/api/tags/tag-request.ts'
import type { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import { selectDay } from '#gallery/images/selection/select-day.ts'
import {
  cachedPosition,
  currentTargets,
  nextAfterDelete,
  type Targets,
  targetRecords,
} from '#gallery/images/selection/selected-images.ts'
import { needsNames, resolved } from '#gallery/images/selection/selection.ts'
import {
  currentSelection,
  invertSelection,
  selectAfterDelete,
  selectAll,
} from '#gallery/images/selection/selection-store.ts'
import { cutImages, pasteCut } from '#gallery/images/selection/use-cut-and-paste.ts'
import { showDetails } from '#gallery/ui/preferences.ts'
import { showFailure, showToast } from '#gallery/ui/toasts/toast.tsx'
import { currentPlace } from '#gallery/url/use-place.ts'
import { downloadImages, downloadWorkflow } from './download-images.ts'
import { setCover } from './set-cover.ts'
import {
  type ImageSource,
  searchLike,
  searchSimilar,
  singleImageActions,
  withImage,
  withTargets,
} from './single-image-actions.ts'

/** A request for a target board to move or copy images to. */
export interface MoveRequest {
  readonly verb: 'Move' | 'Copy' | 'Restore'
  readonly count: number
  readonly noun: Noun
  readonly placeOn: (boardId: string) => void
}

/** The actions on images, one for each command of image-commands.ts. Each determines its targets when it runs. */
export type ImageActions = ReturnType<typeof gridActions> &
  ReturnType<typeof boardActions> &
  ReturnType<typeof trashActions> &
  Record<'compare' | 'selectDay' | 'cut' | 'paste', () => void>

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
  const source = sourceOfGrid(options)
  return {
    ...gridActions(options, source),
    ...boardActions(source, onMove, onProcess),
    star: (imageNames, starred) => void api.outbox.star(imageNames, starred),
    compare: withTargets(source, (targets) => void compare(source, targets)),
    selectDay: () => void selectDay(api, grid),
    cut: withTargets(source, cutImages),
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
  onMove: (request: MoveRequest) => void
  onDelete: (request: DeleteRequest) => void
}

type TrashRequests = Pick<TrashActionsOptions, 'onDelete' | 'onMove'>

export function trashActionsOf(options: TrashActionsOptions) {
  const source = sourceOfGrid(options)
  return {
    ...gridActions(options, source),
    ...trashActions(source, options),
  } satisfies GridActions
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

export const useTrashGrid = (
  onDelete: (request: DeleteRequest) => void,
  onMove: (request: MoveRequest) => void,
  captionOf: (record: ImageRecord) => readonly string[],
): GridKind =>
  useMemo(
    () => ({
      actionsOf: (options) => trashActionsOf({ ...options, onDelete, onMove }),
      canMove: false,
      captionOf,
    }),
    [onDelete, onMove, captionOf],
  )

export interface ViewerActionsOptions {
  api: GalleryApi
  image: ImageRecord
  /** Images whose metadata is fetched in the same request. */
  together: readonly string[]
  /** The image that this one is compared with, unless it is selected with others. */
  compared: ImageRecord | null
  /** Shows the next image, because this one disappears. */
  onRemove: () => void
  onDetails: () => void
}

/** Returns the actions on the image in the viewer. There are no selection commands. */
export const viewerActionsOf = (
  options: ViewerActionsOptions & Pick<ImageActionsOptions, 'onMove'>,
): Partial<ImageActions> => ({
  ...boardActions(sourceOfViewer(options), options.onMove, openProcessDialog),
  compare: () => compareViewed(options),
})

export const trashViewerActionsOf = (
  options: ViewerActionsOptions & TrashRequests,
): Partial<ImageActions> => trashActions(sourceOfViewer(options), options)

const sourceOfGrid = ({ api, grid, onOpen }: GridOptions): ImageSource => ({
  api,
  targets: () => currentTargets(api, grid.now),
  records: () => targetRecords(grid.now),
  together: ({ image_name }) =>
    metadataPart(grid.now.windows, cachedPosition(api.queryClient, grid.now, image_name)),
  onRemove: () => {
    const next = nextAfterDelete(grid.now)
    return () => {
      const position = next && cachedPosition(api.queryClient, grid.now, next.imageName)
      selectAfterDelete(next && { ...next, position: position ?? next.position })
    }
  },
  showDetails: (imageName) => {
    showDetails()
    onOpen(imageName)
  },
})

function sourceOfViewer(options: ViewerActionsOptions): ImageSource {
  const { api, image, together, onRemove, onDetails } = options
  const images = [image.image_name]
  const noun = nounOfNames(images)
  const names = () => Promise.resolve(images)
  const moveTo = (boardId: string) => void api.outbox.move(images, boardId)
  return {
    api,
    targets: () => ({ count: 1, noun, images, names, namesForRemoval: names, moveTo }),
    records: () => [image],
    together: () => together,
    onRemove: () => {
      onRemove()
      return () => {}
    },
    showDetails: onDetails,
  }
}

/** Returns the actions that only a grid has. */
const gridActions = ({ onOpen }: GridOptions, source: ImageSource) => ({
  open: withImage(source, ({ image_name }) => onOpen(image_name)),
  selectAll,
  invert: invertSelection,
})

/** Returns the actions on images of boards, in a grid and in the viewer. */
function boardActions(
  source: ImageSource,
  onMove: (request: MoveRequest) => void,
  onProcess: (targets: Targets) => void,
) {
  const { api, records } = source
  return {
    ...singleImageActions(source),
    toggleStar: withTargets(source, ({ images }) => {
      const hasUnstarred = records().some(({ starred }) => !starred)
      // Unstarred images leave a view of starred ones.
      const isLeaving = !hasUnstarred && viewOf(currentPlace()).isStarred === true
      const afterwards = isLeaving ? source.onRemove() : () => {}
      api.outbox.star(images, hasUnstarred)
      afterwards()
    }),
    ...rateActions(source),
    tag: withTargets(source, (targets) => openTagDialog({ ...targets, records: records() })),
    trash: withTargets(source, ({ images }) => {
      const afterwards = source.onRemove()
      api.outbox.trash(images)
      afterwards()
    }),
    move: withTargets(source, ({ count, noun, moveTo }) =>
      onMove({ verb: 'Move', count, noun, placeOn: moveTo }),
    ),
    copy: withTargets(source, (targets) => {
      const placeOn = (boardId: string) => void copyImages(api, targets, boardId)
      onMove({ verb: 'Copy', count: targets.count, noun: targets.noun, placeOn })
    }),
    process: withTargets(source, onProcess),
    moreLikeThis: withImage(source, (image) => searchLike(image, 'picture')),
    searchSimilarPrompt: withImage(source, (image) => searchLike(image, 'prompt')),
    searchSimilar: withImage(source, (image) => {
      if (api.capabilities.has('likeness')) searchLike(image, 'parameters')
      else void searchSimilar(source, image)
    }),
    setCover: withImage(source, (image) => setCover(api, image)),
    downloadAs: withTargets(source, (targets) =>
      openDownloadDialog(requestOfImages(api, targets, records())),
    ),
    download: withTargets(source, (targets) => void download(api, targets, records())),
    downloadWorkflow: withImage(source, (image) => void downloadWorkflow(api, image)),
  }
}

type RateId = `rate${0 | 1 | 2 | 3 | 4 | 5}`

/** Returns the actions that rate images. */
function rateActions(source: ImageSource): Record<RateId, () => void> {
  const rate = (rating: number) =>
    withTargets(source, ({ images }) => void source.api.outbox.rate(images, rating))
  return {
    ...{ rate0: rate(0), rate1: rate(1), rate2: rate(2) },
    ...{ rate3: rate(3), rate4: rate(4), rate5: rate(5) },
  }
}

/** Returns the actions on images of the trash, in a grid and in the viewer. */
const trashActions = (source: ImageSource, { onDelete, onMove }: TrashRequests) => ({
  ...singleImageActions(source),
  restore: withTargets(source, ({ images }) => {
    const afterwards = source.onRemove()
    source.api.outbox.restore(images)
    afterwards()
  }),
  restoreTo: withTargets(source, (targets) => {
    const placeOn = (boardId: string) => {
      const afterwards = source.onRemove()
      source.api.outbox.restoreTo(targets.images, boardId)
      afterwards()
    }
    onMove({ verb: 'Restore', count: targets.count, noun: targets.noun, placeOn })
  }),
  deleteForGood: withTargets(source, ({ namesForRemoval }) =>
    onDelete({ names: namesForRemoval, onDelete: source.onRemove }),
  ),
})

async function download(
  api: GalleryApi,
  targets: Targets,
  known: readonly ImageRecord[],
): Promise<void> {
  try {
    await downloadImages(api, await targets.names(), known)
  } catch (error) {
    const title = `Could not load the names of the selected ${targets.noun}s`
    showFailure(title, reasonOf(error), () => void download(api, targets, known))
  }
}

/** Compares the selected images. Their names are fetched first if only positions are known. */
async function compare(source: Pick<ImageSource, 'records'>, targets: Targets): Promise<void> {
  const refusal = compareRefusal(targets.count)
  if (refusal !== undefined) {
    showToast({ title: refusal, description: `${targets.count} selected` })
    return
  }
  const records = source.records()
  try {
    openComparison({ imageNames: await targets.namesForRemoval(), records })
  } catch (error) {
    const title = `Could not load the names of the selected ${targets.noun}s`
    showFailure(title, reasonOf(error), () => void compare(source, targets))
  }
}

/** Returns the selected images if the viewed one is one of a few. */
function selectedWith(imageName: string): readonly string[] {
  const selection = currentSelection()
  const names = needsNames(selection) ? [] : resolved(selection, [])
  const areFew = names.length > 1 && names.length <= MAX_COMPARED
  return areFew && names.includes(imageName) ? names : []
}

/** Returns the names of the images to compare with the viewed one: the selected ones, else its neighbor. */
export function comparedWith(image: ImageRecord, other: ImageRecord | null): readonly string[] {
  const selected = selectedWith(image.image_name)
  if (selected.length > 0) return selected
  return other === null ? [image.image_name] : [image.image_name, other.image_name]
}

function compareViewed({ image, compared }: ViewerActionsOptions): void {
  const imageNames = comparedWith(image, compared)
  if (compareRefusal(imageNames.length) !== undefined) {
    showToast({ title: 'There is no other image to compare with.' })
  } else openComparison({ imageNames, records: compared ? [image, compared] : [image] })
}
