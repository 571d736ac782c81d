import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { metadataPart, metadataQueries } from '#gallery/api/images/metadata-queries.ts'
import { useHasQueue } from '#gallery/api/queue/queue-queries.ts'
import { canDownloadSeveral } from '#gallery/images/download-images.ts'
import type { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import {
  type GridNow,
  isInSight,
  loadedPosition,
  loadedRecord,
} from '#gallery/images/grid/grid-now.ts'
import { type ImageCommand, imageCommands } from '#gallery/images/image-commands.ts'
import { targetRecords } from '#gallery/images/selection/selected-images.ts'
import { countSelected, isSelected } from '#gallery/images/selection/selection.ts'
import {
  currentCursor,
  currentSelection,
  type GridItem,
  selectImage,
  toggleImage,
  useSelection,
} from '#gallery/images/selection/selection-store.ts'
import { canPasteTo } from '#gallery/images/selection/use-cut-and-paste.ts'
import type { GridActions } from '#gallery/images/use-image-actions.ts'
import { canCopyPictures } from '#gallery/ui/copy-text.ts'
import { CommandItems, ContextMenu } from '#gallery/ui/menu.tsx'
import { tileIdOf } from './image-tile.tsx'
import { itemOf } from './use-tile-presses.ts'

/** Returns the commands for the selected images. `isMenu` loads the metadata that some menu items need. */
export function useGridCommands(
  now: GridNow,
  actions: GridActions,
  { isMenu = false } = {},
): ImageCommand[] {
  const { capabilities, client } = useGallery()
  const count = countSelected(useSelection(), now.total)
  const hasQueue = useHasQueue()
  const records = targetRecords(now)
  const [first] = records
  const image = count === 1 && first ? first : null
  const { data: metadata } = useQuery({
    ...metadataQueries(client).normal(image?.image_name ?? '', image ? partAround(now, image) : []),
    enabled: isMenu && image !== null,
  })
  return imageCommands(actions, {
    count,
    image,
    areAllStarred: records.length > 0 && records.every(({ starred }) => starred),
    isAll: count === now.total,
    hasQueue,
    canDownloadSeveral: canDownloadSeveral(capabilities),
    canCopyPictures: canCopyPictures(),
    canPaste: canPasteTo(now.view.boardId),
    metadata,
  })
}

/** Returns the names of the images whose metadata is fetched together with that of an image. */
function partAround(now: GridNow, { image_name }: { image_name: string }): string[] {
  const position = loadedPosition(now, image_name)
  return position === undefined ? [image_name] : metadataPart(now.windows, position)
}

interface TileMenuProps {
  now: GridNow
  grid: GridHandle
  actions: GridActions
  children: ReactNode
}

/**
 * The context menu of the grid. On a selected tile, it acts on the selection. On another tile, it selects that tile
 * first. On empty space, it contains only commands that need no image.
 */
export function TileMenu({ now, grid, actions, children }: TileMenuProps) {
  const [isOnTile, setOnTile] = useState(true)

  const open = (event: MouseEvent, isByKey: boolean): Element | null => {
    const item = isByKey ? focusedTile(grid.now) : itemOf(event.target)
    setOnTile(item !== null)
    if (item === null) return isByKey ? null : grid.element
    const isTarget = isSelected(currentSelection(), item.imageName, item.position)
    if (!isTarget && event.ctrlKey && event.button === 2) toggleImage(item)
    else if (!isTarget) selectImage(item)
    return document.getElementById(tileIdOf(item.position)) ?? grid.element
  }

  return (
    <ContextMenu label="Image" onOpen={open} area={children}>
      <TileMenuItems now={now} actions={actions} isOnTile={isOnTile} />
    </ContextMenu>
  )
}

/** Returns the tile with the focus if it is on the screen. */
function focusedTile(now: GridNow): GridItem | null {
  const cursor = currentCursor()
  if (!cursor || !isInSight(now, cursor.position)) return null
  return loadedRecord(now, cursor.position) ? cursor : null
}

interface TileMenuItemsProps {
  now: GridNow
  actions: GridActions
  isOnTile: boolean
}

function TileMenuItems({ now, actions, isOnTile }: TileMenuItemsProps) {
  const commands = useGridCommands(now, actions, { isMenu: true })
  const ofSpace = ({ id }: ImageCommand) => id === 'paste' || id === 'selectAll' || id === 'invert'
  return <CommandItems commands={isOnTile ? commands : commands.filter(ofSpace)} />
}
