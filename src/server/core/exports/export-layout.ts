import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import { extensionsOf } from '#contract/media-types.ts'
import {
  isPlainName,
  safeFileName,
  sameNameKey,
  splitName,
} from '#server/core/intake/safe-file-name.ts'
import { EXPORT_MANIFEST, EXPORT_ORDER, type ExportManifest, renderTime } from './export-files.ts'
import type { BoardToExport, ExportPlace, ImageToExport } from './export-ports.ts'

/** Assigns folders to boards and unique names to files. A renamed board keeps the folder of an earlier export. */
export class ExportLayout {
  readonly #folders = new Map<string, string>()
  /** Reserved folders and files, normalized so that names equal on any file system are equal. */
  readonly #used = new Set([EXPORT_MANIFEST, EXPORT_ORDER].map(sameNameKey))
  /** Parents of reserved folders. A board may use one of them too. */
  readonly #parents = new Set<string>()
  readonly #boards = new Map<string, ExportManifest['boards'][number]>()

  constructor(earlier: ExportManifest | null) {
    const uncategorized = earlier?.uncategorized_folder ?? UNCATEGORIZED_BOARD_NAME
    if (!this.#reserve(UNCATEGORIZED_BOARD_ID, uncategorized)) {
      this.#reserve(UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME)
    }
    for (const board of earlier?.boards ?? []) {
      if (this.#reserve(board.board_id, board.folder)) this.#boards.set(board.board_id, board)
    }
  }

  /** Assigns each board its own folder and stores its data for the manifest. */
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

  boardName({ board_id }: ImageToExport): string | null {
    return this.#boards.get(board_id)?.board_name ?? null
  }

  hasFolder({ board_id }: ImageToExport): boolean {
    return this.#folders.has(board_id)
  }

  /** Yields places for an image, best first. Each place is reserved when it is yielded. */
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
      if (this.#reserve(board_id, numbered)) return numbered
    }
  }

  /** Returns false if the folder is taken or leads out of the export, because a manifest may contain anything. */
  #reserve(boardId: string, folder: string): boolean {
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

/**
 * Returns possible file names of an image, best first: as uploaded, with the end of its ID, with its whole ID. Each
 * has an extension of the actual format, so that no image is mistaken for a sidecar.
 */
const fileNamesOf = ({ image_name, file_name, media_type }: ImageToExport): string[] => {
  const id = splitName(image_name).stem
  if (file_name === null) return [safeFileName(image_name)]
  const safe = safeFileName(file_name)
  const { stem, extension } = splitName(safe)
  const extensions = extensionsOf(media_type)
  const isTrue = extensions.includes(extension.slice(1).toLowerCase())
  const [name, end] = isTrue ? [stem, extension] : [safe, `.${extensions[0]}`]
  return ['', ` (${id.slice(-8)})`, ` (${id})`].map((suffix) => `${name}${suffix}${end}`)
}

/** Converts a board's name to nested folders (`A/B`), each with a name that is valid on every file system. */
const folderOf = (boardName: string): string[] => {
  const parts = boardName.split('/').filter((part) => part.trim() !== '')
  return (parts.length === 0 ? ['Board'] : parts).map((part) => safeFileName(part.trim(), 'Board'))
}
