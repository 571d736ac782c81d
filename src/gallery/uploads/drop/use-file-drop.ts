import { useCallback } from 'react'
import { type DropEvent, type DropzoneState, useDropzone } from 'react-dropzone'
import { create } from 'zustand'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { UploadTarget } from '#gallery/api/uploads/upload.ts'
import { addDroppedItems } from '#gallery/uploads/add-files.ts'

const isDrop = (event: unknown): event is DragEvent =>
  event !== null && typeof event === 'object' && 'dataTransfer' in event && 'type' in event
    ? event.type === 'drop'
    : false

/**
 * Returns the props of a drop zone for files and folders, without click and keyboard handling.
 *
 * The zone's own reading of dropped items is not used: it abandons a folder that is still being read when a
 * second drop occurs, and drops all files if one of them cannot be opened.
 */
export function useFileDrop(
  target: UploadTarget,
  options: { isInner?: boolean } = {},
): DropzoneState {
  const { uploads } = useGallery()
  const { isInner = false } = options
  const { boardId, label } = target
  const getFilesFromEvent = useCallback(
    async (event: DropEvent | FileSystemFileHandle[]) => {
      if (isDrop(event) && event.dataTransfer && !isOwnDrag()) {
        // A drop on a board's row already selects the destination.
        const asksAboutFolders = !isInner
        addDroppedItems(uploads, event.dataTransfer, { boardId, label }, { asksAboutFolders })
      }
      return []
    },
    [uploads, boardId, label, isInner],
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
  /** Label of the inner zone (a board's row) under the dragged files; null if there is none. */
  readonly innerLabel: string | null
  /** True if the drag started on this page: a tile, a link, selected text. */
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
