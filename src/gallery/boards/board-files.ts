import type { ComponentType, ReactNode } from 'react'
import type { Board } from '#gallery/api/boards/board-queries.ts'

/** A component that accepts files dropped on its children. */
export type FileZone = ComponentType<{
  boardId: string | null
  label: string
  children: ReactNode
}>

/** Uploads to a board, and downloads from it. */
export interface BoardFiles {
  Zone: FileZone
  /** Opens the file picker and uploads the files to a board. */
  upload(board: Board): void
  download(board: Board): void
  /** Asks for the form of the files first. */
  downloadAs(board: Board): void
}
