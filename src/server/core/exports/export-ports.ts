import type { NamedItem } from '#contract/downloads/name-pattern.ts'
import type { ConvertedPicture } from '#server/core/images/picture-ports.ts'
import type { ExportedBoard, ExportManifest, ExportSidecar } from './export-files.ts'

/** A board as it is exported. Times are milliseconds since 1970. It has its chosen cover if that is still on it. */
export interface BoardToExport extends Omit<ExportedBoard, 'folder' | 'created_at'> {
  created_at: number
}

/** An image as it is exported. Times are milliseconds since 1970. */
export interface ImageToExport
  extends NamedItem,
    Omit<
      ExportSidecar,
      | keyof NamedItem
      | 'tessera_sidecar'
      | 'board_id'
      | 'created_at'
      | 'taken_at'
      | 'metadata'
      | 'poster_ms'
      | 'rating'
      | 'tags'
    > {
  /** Row ID. Newer images have larger ones. */
  id: number
  /** `none`: on no board. */
  board_id: string
  created_at: number
  taken_at: number | null
  invokeai: string | null
  poster_ms: number | null
  tags: readonly string[]
  /** False: unknown, too. */
  is_animated: boolean
}

/** An XMP sidecar. */
export interface XmpSidecar {
  readonly text: string
  /** True without rating and tags. Then it only replaces an earlier sidecar, which may have some. */
  readonly isEmpty: boolean
}

/** Queries for an export. They exclude intermediate images and the trash. */
export interface ExportRecords {
  /** Lists all boards, oldest first, including archived ones. */
  boards(): Promise<BoardToExport[]>
  /** Lists images after the row ID `after`, in order of creation. `boardIds` null: with or without a board. */
  images(after: number, limit: number, boardIds: readonly string[] | null): Promise<ImageToExport[]>
  count(boardIds: readonly string[] | null): Promise<number>
}

export interface ExportPlace {
  /** Below the export, `/` between names. */
  folder: string
  fileName: string
}

/** Result for one image. `taken`: another file is in this place. `failure`: why the file could not be read. */
export type PutOutcome = 'copied' | 'linked' | 'known' | 'taken' | { failure: string }

/** Target folder of an export. Files that are not part of the export are never changed. */
export interface ExportFolder {
  /** Reads the manifest of an earlier export; null if there is none. */
  manifest(): Promise<ExportManifest | null>
  writeManifest(manifest: ExportManifest): Promise<void>
  /**
   * Writes an image and its sidecars, each atomically. Leaves an existing image and an XMP file of another program;
   * replaces a sidecar whose content differs.
   *
   * @throws {TargetFolderError} The disk is full or cannot be written.
   */
  put(
    image: { imageName: string; sidecar: ExportSidecar },
    place: ExportPlace,
    /** `xmp` null: without XMP. */
    options: { link: boolean; xmp: XmpSidecar | null },
  ): Promise<PutOutcome>
  /** Appends to the order of images, which takes effect with `close`. */
  addToOrder(places: readonly ExportPlace[]): Promise<void>
  /** @param isWhole - True if the export is complete. Otherwise the order of an earlier export remains. */
  close(options: { isWhole: boolean }): Promise<void>
}

/** Target folder of an export of converted files. Other files are never changed. */
export interface ConvertedFolder {
  /** `known`: the file of this image is in the place. `taken`: another file is. */
  stateOf(imageName: string, place: ExportPlace): Promise<'known' | 'taken' | 'free'>
  /**
   * Writes a file to a free place atomically.
   *
   * @param file - `picture` null: the original. `date`: for file managers, in milliseconds since 1970. null: now.
   * @returns Why the file could not be written. null: it is written.
   * @throws {TargetFolderError} The disk is full or cannot be written.
   */
  write(
    imageName: string,
    place: ExportPlace,
    file: { picture: ConvertedPicture | null; date: number | null },
  ): Promise<string | null>
  /** Writes an XMP file, unless another program has changed it. Returns and throws as `write`. */
  writeXmp(place: ExportPlace, xmp: XmpSidecar): Promise<string | null>
  close(): Promise<void>
}

/** An export or backup cannot write to its folder. The message names a reason and a remedy. Written files remain. */
export class TargetFolderError extends Error {
  override readonly name = 'TargetFolderError'
}
