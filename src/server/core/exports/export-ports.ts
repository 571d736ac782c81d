import type { BoardVisibility } from '#contract/board.ts'
import type { ImageCategory, ImageMediaType, ImageOrigin } from '#contract/image.ts'
import type { ExportManifest, ExportSidecar } from './export-files.ts'

/** A board as it is exported. Times are milliseconds since 1970. */
export interface BoardToExport {
  board_id: string
  board_name: string
  description: string | null
  archived: boolean
  starred: boolean
  board_visibility: BoardVisibility
  created_at: number
  /** The chosen one, if it is still on the board. */
  cover_image_name: string | null
}

/** An image as it is exported. Times are milliseconds since 1970. */
export interface ImageToExport {
  /** Grows with arrival. */
  id: number
  image_name: string
  /** `none`: on no board. */
  board_id: string
  file_name: string | null
  file_size: number
  media_type: ImageMediaType
  /** SHA-256, hexadecimal. */
  content_hash: string
  starred: boolean
  image_category: ImageCategory
  image_origin: ImageOrigin
  created_at: number
  taken_at: number | null
  session_id: string | null
  node_id: string | null
  invokeai: string | null
  workflow: string | null
  graph: string | null
}

/** What an export asks of a library. What is in the trash, or intermediate, is not there for it. */
export interface ExportRecords {
  /** Oldest first, archived ones too. */
  boards(): Promise<BoardToExport[]>
  /** In order of arrival: those behind `after`. `boardIds` null: of every board and of none. */
  images(after: number, limit: number, boardIds: readonly string[] | null): Promise<ImageToExport[]>
  count(boardIds: readonly string[] | null): Promise<number>
}

/** Where an image goes in an export. */
export interface ExportPlace {
  /** Below the export, `/` between names. */
  folder: string
  fileName: string
}

/**
 * What became of an image. `taken`: something else lies there, and nothing was done. `failure`: its file could
 * not be read, and why.
 */
export type PutOutcome = 'copied' | 'linked' | 'known' | 'taken' | { failure: string }

/** A folder that an export fills. What lies in it and is not the export's own is never touched. */
export interface ExportFolder {
  /** What an earlier export wrote here; null: this is the first. */
  manifest(): Promise<ExportManifest | null>
  writeManifest(manifest: ExportManifest): Promise<void>
  /**
   * Puts an image and its sidecar there, each whole or not at all. What is there already is left, a sidecar that
   * says something else is written anew.
   *
   * @throws {TargetFolderError} The disk is full, or nothing more can be written.
   */
  put(
    image: { imageName: string; sidecar: ExportSidecar },
    place: ExportPlace,
    options: { link: boolean },
  ): Promise<PutOutcome>
  /** Adds to the order of images, which counts once `close` has come. */
  addToOrder(places: readonly ExportPlace[]): Promise<void>
  /** @param isWhole - Everything asked for was put; else the order of an earlier export stays. */
  close(options: { isWhole: boolean }): Promise<void>
}

/** An export or a backup cannot write to its folder. The message says why, and what to do. Nothing is taken back. */
export class TargetFolderError extends Error {
  override readonly name = 'TargetFolderError'
}
