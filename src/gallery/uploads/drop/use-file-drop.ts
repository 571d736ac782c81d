import { useCallback } from 'react'
import { type DropEvent, type DropzoneState, useDropzone } from 'react-dropzone'
import { create } from 'zustand'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { UploadTarget } from '#gallery/api/uploads/upload.ts'
import { addDroppedItems } from '#gallery/uploads/add-files.ts'
import { askAboutFolders, type FolderToUpload, uploadToOwnBoard } from './folders-to-ask.ts'

const isDrop = (event: unknown): event is DragEvent =>
  event !== null && typeof event === 'object' && 'dataTransfer' in event && 'type' in event
    ? event.type === 'drop'
    : false

/** A part of the page where a dropped folder becomes a board: the sidebar, or a group in it. */
export interface NewBoards {
  readonly element: Element
  /** Path of the group; `''` for none. */
  readonly group: string
  /** Returns the folder with the whole name of its board. */
  readonly named: (folder: FolderToUpload) => FolderToUpload
}

export function newBoardsAt(target: EventTarget | null): NewBoards | null {
  if (!(target instanceof Element)) return null
  const list = target.closest('[data-takes-folders]')
  if (list === null) return null
  const row = target.closest<HTMLElement>('[data-group]')
  const group = row?.dataset.group ?? ''
  const prefix = group === '' ? '' : `${group}/`
  const named = (folder: FolderToUpload) => ({ ...folder, name: `${prefix}${folder.name}` })
  return { element: row ?? list, group, named }
}

interface FileDropOptions {
  /** True for a zone within the zone of the page. */
  readonly isInner?: boolean
  /** Called with the element under dragged files. */
  readonly onOver?: (target: EventTarget | null) => void
}

/**
 * Returns the props of a drop zone for files and folders, without click and keyboard handling.
 *
 * The zone's own reading of dropped items is not used: it abandons a folder that is still being read when a
 * second drop occurs, and drops all files if one of them cannot be opened.
 */
export function useFileDrop(target: UploadTarget, options: FileDropOptions = {}): DropzoneState {
  const api = useGallery()
  const { isInner = false, onOver } = options
  const { boardId, label } = target
  const getFilesFromEvent = useCallback(
    async (event: DropEvent | FileSystemFileHandle[]) => {
      if (isDrop(event) && event.dataTransfer && !isOwnDrag()) {
        const place = { boardId, label }
        const boards = newBoardsAt(event.target)
        addDroppedItems(api.uploads, event.dataTransfer, place, (folders) => {
          // A drop on a board's row already selects the destination.
          if (isInner) for (const { upload } of folders) upload(place)
          else if (boards === null) askAboutFolders(folders, place)
          else for (const folder of folders) void uploadToOwnBoard(api, boards.named(folder))
        })
      }
      return []
    },
    [api, boardId, label, isInner],
  )
  return useDropzone({
    getFilesFromEvent,
    noClick: true,
    noKeyboard: true,
    noPaste: true,
    noDragEventsBubbling: isInner,
    preventDropOnDocument: !isInner,
    ...(onOver && { onDragOver: ({ target }) => onOver(target) }),
  })
}

interface DropState {
  /** Label of the inner zone (a board's row) under the dragged files; null if there is none. */
  readonly innerLabel: string | null
  /** True if the drag started on this page: a tile, a link, selected text. */
  readonly isOwnDrag: boolean
}

const useDrop = create<DropState>(() => ({ innerLabel: null, isOwnDrag: false }))

export const useInnerLabel = (): string | null => useDrop(({ innerLabel }) => innerLabel)
export const useIsOwnDrag = (): boolean => useDrop(({ isOwnDrag }) => isOwnDrag)
export const isOwnDrag = (): boolean => useDrop.getState().isOwnDrag

export const enterInnerZone = (label: string): void => useDrop.setState({ innerLabel: label })

export const leaveInnerZone = (label: string): void =>
  useDrop.setState((state) => (state.innerLabel === label ? { innerLabel: null } : state))

export const startOwnDrag = (): void => useDrop.setState({ isOwnDrag: true })
export const endOwnDrag = (): void => useDrop.setState({ isOwnDrag: false })
