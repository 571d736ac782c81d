import { useCallback } from 'react'
import { type DropEvent, type DropzoneState, useDropzone } from 'react-dropzone'
import { create } from 'zustand'
import type { UploadTarget } from '#gallery/uploads/upload.ts'
import { addDroppedItems } from '#gallery/uploads/upload-actions.ts'

const isDrop = (event: unknown): event is DragEvent =>
  event !== null && typeof event === 'object' && 'dataTransfer' in event && 'type' in event
    ? event.type === 'drop'
    : false

/**
 * A zone that takes every file and folder dropped on it, and neither clicks nor keys.
 *
 * The zone's own reading of a drop is not used: it gives up a folder that is still being read when a
 * second drop comes, and all of a drop when one file in it cannot be opened.
 */
export function useFileDrop(
  target: UploadTarget,
  options: { isInner?: boolean } = {},
): DropzoneState {
  const { isInner = false } = options
  const { boardId, label } = target
  const getFilesFromEvent = useCallback(
    async (event: DropEvent | FileSystemFileHandle[]) => {
      if (isDrop(event) && event.dataTransfer && !isOwnDrag()) {
        // A drop on a board's row says where the files go.
        const asksAboutFolders = !isInner
        addDroppedItems(event.dataTransfer, { boardId, label }, { asksAboutFolders })
      }
      return []
    },
    [boardId, label, isInner],
  )
  return useDropzone({
    getFilesFromEvent,
    noClick: true,
    noKeyboard: true,
    noPaste: true,
    noDragEventsBubbling: isInner,
    preventDropOnDocument: !isInner,
  })
}

interface DropState {
  /** Of the zone inside the page that files are held over: a board's row. */
  readonly innerLabel: string | null
  /** What is dragged comes from this page: a tile, a link, marked text. */
  readonly isOwnDrag: boolean
}

const useDrop = create<DropState>(() => ({ innerLabel: null, isOwnDrag: false }))

export const useInnerLabel = (): string | null => useDrop(({ innerLabel }) => innerLabel)
export const useIsOwnDrag = (): boolean => useDrop(({ isOwnDrag }) => isOwnDrag)
const isOwnDrag = (): boolean => useDrop.getState().isOwnDrag

export const enterInnerZone = (label: string): void => useDrop.setState({ innerLabel: label })

export const leaveInnerZone = (label: string): void =>
  useDrop.setState((state) => (state.innerLabel === label ? { innerLabel: null } : state))

export const startOwnDrag = (): void => useDrop.setState({ isOwnDrag: true })
export const endOwnDrag = (): void => useDrop.setState({ isOwnDrag: false })
