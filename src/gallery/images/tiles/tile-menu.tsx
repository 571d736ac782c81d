import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, memo, type ReactNode, useState } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { metadataPart, metadataQueries } from '#gallery/api/images/metadata-queries.ts'
import type { Noun } from '#gallery/api/images/noun.ts'
import { useHasQueue } from '#gallery/api/queue/queue-queries.ts'
import type { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import {
  type GridNow,
  isInSight,
  loadedPosition,
  loadedRecord,
} from '#gallery/images/grid/grid-now.ts'
import { gridState } from '#gallery/images/grid-state.ts'
import { type ImageCommand, imageCommands } from '#gallery/images/image-commands.ts'
import { nounOfTargets, targetRecords } from '#gallery/images/selection/selected-images.ts'
import { countSelected, isSelected } from '#gallery/images/selection/selection.ts'
import {
  currentCursor,
  currentSelection,
  type GridItem,
  selectImage,
  toggleImage,
  useSelection,
} from '#gallery/images/selection/selection-store.ts'
import { spaceCommands } from '#gallery/images/space-menu.tsx'
import type { GridActions } from '#gallery/images/use-image-actions.ts'
import type { Command } from '#gallery/ui/commands/command.ts'
import { ContextMenu, ContextMenuItems } from '#gallery/ui/popups/context-menu.tsx'
import { countOf } from '#gallery/ui/text/count.ts'
import { imageLabelOf } from '#gallery/ui/text/names.ts'
import { tileIdOf } from './image-tile.tsx'
import { itemOf } from './use-tile-presses.ts'

/** Returns the commands for the selected images. `isMenu` loads the metadata that some menu items need. */
export function useGridCommands(
  now: GridNow,
  actions: GridActions,
  { isMenu = false } = {},
): ImageCommand[] {
  const api = useGallery()
  useSelection()
  const state = gridState(api, now, useHasQueue())
  const { image } = state
  const { data: metadata } = useQuery({
    ...metadataQueries(api.client).normal(
      image?.image_name ?? '',
      image ? partAround(now, image) : [],
    ),
    enabled: isMenu && image !== null,
  })
  return imageCommands(actions, isMenu ? { ...state, metadata } : state)
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
 * first. On empty space, it contains the commands of the view.
 */
export const TileMenu = memo(function TileMenu(props: TileMenuProps) {
  const { now, grid, actions, children } = props
  const [space, setSpace] = useState<readonly Command[] | null>(null)
  const [noun, setNoun] = useState<Noun>('image')

  const open = (event: MouseEvent, isByKey: boolean): Element | null => {
    const item = isByKey ? focusedTile(grid.now) : itemOf(event.target)
    setSpace(item === null ? spaceCommands() : null)
    if (item === null) return grid.element
    const isTarget = isSelected(currentSelection(), item.imageName, item.position)
    if (!isTarget && event.ctrlKey && event.button === 2) toggleImage(item)
    else if (!isTarget) selectImage(item)
    setNoun(nounOfTargets(grid.now))
    return document.getElementById(tileIdOf(item.position)) ?? grid.element
  }

  return (
    <ContextMenu
      label={space ? 'View' : MENU_NAMES[noun]}
      heading={space ? undefined : <TargetsOf now={now} />}
      onOpen={open}
      area={children}
    >
      {space ? (
        <ContextMenuItems commands={space} />
      ) : (
        <TileMenuItems now={now} actions={actions} />
      )}
    </ContextMenu>
  )
})

const MENU_NAMES: Readonly<Record<Noun, string>> = {
  image: 'Image',
  video: 'Video',
  item: 'Images and videos',
}

/** The images that the menu acts on: the name of one, or the number of several. */
function TargetsOf({ now }: { now: GridNow }) {
  const selection = useSelection()
  const [record] = targetRecords(now)
  const count = countSelected(selection, now.total)
  return count <= 1 && record ? (
    <bdi>{imageLabelOf(record)}</bdi>
  ) : (
    countOf(count, nounOfTargets(now))
  )
}

/** Returns the tile with the focus if it is on the screen. */
function focusedTile(now: GridNow): GridItem | null {
  const cursor = currentCursor()
  if (!cursor || !isInSight(now, cursor.position)) return null
  return loadedRecord(now, cursor.position) ? cursor : null
}

function TileMenuItems({ now, actions }: Pick<TileMenuProps, 'now' | 'actions'>) {
  return <ContextMenuItems commands={useGridCommands(now, actions, { isMenu: true })} />
}
