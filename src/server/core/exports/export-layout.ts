import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import { extensionOf, type ImageMediaType } from '#contract/image.ts'
import {
  isPlainName,
  safeFileName,
  sameNameKey,
  splitName,
} from '#server/core/intake/safe-file-name.ts'
import { EXPORT_MANIFEST, EXPORT_ORDER, type ExportManifest, renderTime } from './export-files.ts'
import type { BoardToExport, ExportPlace, ImageToExport } from './export-ports.ts'

/**
 * Which folder each board has, and which names are given away. A board keeps the folder that an earlier export
 * gave it, whatever it is called now.
 */
export class ExportLayout {
  readonly #folders = new Map<string, string>()
  /** Folders and files, as no file system confuses them. */
  readonly #used = new Set([EXPORT_MANIFEST, EXPORT_ORDER].map(sameNameKey))
  /** Folders that hold others; a board may have one of them all the same. */
  readonly #parents = new Set<string>()
  readonly #boards = new Map<string, ExportManifest['boards'][number]>()

  constructor(earlier: ExportManifest | null) {
    const uncategorized = earlier?.uncategorized_folder ?? UNCATEGORIZED_BOARD_NAME
    if (!this.#give(UNCATEGORIZED_BOARD_ID, uncategorized)) {
      this.#give(UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME)
    }
    for (const board of earlier?.boards ?? []) {
      if (this.#give(board.board_id, board.folder)) this.#boards.set(board.board_id, board)
    }
  }

  /** Gives each board a folder of its own, and notes what is known of it. */
  add(boards: readonly BoardToExport[]): void {
    for (const { created_at, ...board } of boards) {
      const folder = this.#folders.get(board.board_id) ?? this.#newFolder(board)
      this.#boards.set(board.board_id, { ...board, folder, created_at: renderTime(created_at) })
    }
  }

  manifest(): ExportManifest {
    return {
      tessera_export: 1,
      uncategorized_folder: this.#folders.get(UNCATEGORIZED_BOARD_ID) ?? UNCATEGORIZED_BOARD_NAME,
      boards: [...this.#boards.values()],
    }
  }

  /** null: it is on no board. */
  boardName({ board_id }: ImageToExport): string | null {
    return this.#boards.get(board_id)?.board_name ?? null
  }

  /** Whether the folder of its board is known. */
  hasFolder({ board_id }: ImageToExport): boolean {
    return this.#folders.has(board_id)
  }

  /** Places for an image, best first. Each is its own from the moment it is asked for. */
  *reservePlaces(image: ImageToExport): Generator<ExportPlace> {
    const folder = this.#folders.get(image.board_id) ?? UNCATEGORIZED_BOARD_NAME
    for (const fileName of fileNamesOf(image)) {
      const key = sameNameKey(`${folder}/${fileName}`)
      if (this.#used.has(key) || this.#parents.has(key)) continue
      this.#used.add(key)
      yield { folder, fileName }
    }
  }

  #newFolder({ board_id, board_name }: Pick<BoardToExport, 'board_id' | 'board_name'>): string {
    const folder = folderOf(board_name).join('/')
    for (let number = 1; ; number++) {
      const numbered = number === 1 ? folder : `${folder} (${number})`
      if (this.#give(board_id, numbered)) return numbered
    }
  }

  /** @returns False: it is another's already, or leads out of the export: a manifest may say anything. */
  #give(boardId: string, folder: string): boolean {
    const parts = folder.split('/')
    const key = sameNameKey(folder)
    if (this.#used.has(key) || !parts.every(isPlainName)) return false
    this.#used.add(key)
    this.#folders.set(boardId, folder)
    for (let depth = 1; depth < parts.length; depth++) {
      this.#parents.add(sameNameKey(parts.slice(0, depth).join('/')))
    }
    return true
  }
}

/** Ways to write the extension of a format, the usual one first. */
const extensions: Readonly<Record<ImageMediaType, readonly string[]>> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'image/avif': ['avif'],
  'image/tiff': ['tiff', 'tif'],
  'image/bmp': ['bmp', 'dib'],
}

/**
 * What an image may be called, best first: as it was uploaded, with the end of its id, with all of it. Each
 * ends in an extension of its true format, so that no image is taken for a sidecar.
 */
const fileNamesOf = ({ image_name, file_name, media_type }: ImageToExport): string[] => {
  const id = splitName(image_name).stem
  if (file_name === null) return [safeFileName(image_name)]
  const safe = safeFileName(file_name)
  const { stem, extension } = splitName(safe)
  const isTrue = extensions[media_type].includes(extension.slice(1).toLowerCase())
  const [name, end] = isTrue ? [stem, extension] : [safe, `.${extensionOf[media_type]}`]
  return ['', ` (${id.slice(-8)})`, ` (${id})`].map((suffix) => `${name}${suffix}${end}`)
}

/** The folders of a board's name, `A/B` being nested ones, each a name that can be kept anywhere. */
const folderOf = (boardName: string): string[] => {
  const parts = boardName.split('/').filter((part) => part.trim() !== '')
  return (parts.length === 0 ? ['Board'] : parts).map((part) => safeFileName(part.trim(), 'Board'))
}
