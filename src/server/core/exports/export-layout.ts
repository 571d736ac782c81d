import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import { extensionOfItem, FileNamer, type NamePattern } from '#contract/downloads/name-pattern.ts'
import {
  isPlainName,
  safeFileName,
  sameNameKey,
  splitName,
} from '#contract/downloads/safe-file-name.ts'
import {
  CONVERTED_FILES,
  CONVERTED_MANIFEST,
  EXPORT_MANIFEST,
  EXPORT_ORDER,
  type ExportManifest,
  renderTime,
} from './export-files.ts'
import type { BoardToExport, ExportPlace, ImageToExport } from './export-ports.ts'

/** How an export names its files. */
export interface ExportNames {
  pattern: NamePattern
  /** A valid IANA name. */
  timeZone: string
}

/** Assigns folders to boards and unique names to files. A renamed board keeps the folder of an earlier export. */
export class ExportLayout {
  readonly #folders = new Map<string, string>()
  /** Reserved folders and files, normalized so that names equal on any file system are equal. */
  readonly #used = new Set(
    [EXPORT_MANIFEST, EXPORT_ORDER, CONVERTED_MANIFEST, CONVERTED_FILES].map(sameNameKey),
  )
  /** Parents of reserved folders. A board may use one of them too. */
  readonly #parents = new Set<string>()
  readonly #boards = new Map<string, ExportManifest['boards'][number]>()
  readonly #files = new Set<string>()
  /** null: files have their uploaded names, in the folders of their boards. */
  readonly #namer: FileNamer | null

  /** @param options - `count`: number of images. */
  constructor(
    earlier: ExportManifest | null,
    { names, count }: { names: ExportNames | null; count: number },
  ) {
    this.#namer = names && new FileNamer(names.pattern, { count, timeZone: names.timeZone })
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

  /**
   * Returns a function that yields places for an image, best first. Each place is reserved when it is yielded.
   *
   * @param expected - Extension of the file, without a dot. The function takes another one.
   */
  placesOf(
    image: ImageToExport,
    expected = extensionOfItem(image),
  ): (extension?: string) => Generator<ExportPlace> {
    const { folder, name } =
      this.#namer === null ? this.#boardPlace(image, expected) : this.#named(image, expected)
    return (extension = expected) =>
      this.#reservePlaces(folder, fileNamesOf(image, withExtension(name, expected, extension)))
  }

  *#reservePlaces(folder: string, fileNames: readonly string[]): Generator<ExportPlace> {
    for (const fileName of fileNames) {
      const key = sameNameKey(join(folder, fileName))
      if (this.#used.has(key) || this.#parents.has(key)) continue
      this.#used.add(key)
      this.#files.add(key)
      yield { folder, fileName }
    }
  }

  #boardPlace(image: ImageToExport, extension: string) {
    const folder = this.#folders.get(image.board_id) ?? UNCATEGORIZED_BOARD_NAME
    return { folder, name: withExtension(uploadedName(image), extensionOfItem(image), extension) }
  }

  /** Returns the place that the pattern gives. A file may already have the name of a folder. */
  #named(image: ImageToExport, extension: string) {
    const path = this.#namer?.nextPath(image, extension) ?? []
    let folder = ''
    for (const part of path.slice(0, -1)) {
      const wanted = join(folder, part)
      folder = wanted
      for (let number = 2; this.#files.has(sameNameKey(folder)); number++) {
        folder = `${wanted} (${number})`
      }
      this.#parents.add(sameNameKey(folder))
    }
    return { folder, name: path.at(-1) ?? '' }
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

const join = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

const endsWith = (name: string, extension: string): boolean =>
  name.toLowerCase().endsWith(`.${extension.toLowerCase()}`)

const withExtension = (name: string, from: string, to: string): string => {
  if (from === to) return name
  return `${endsWith(name, from) ? name.slice(0, -from.length - 1) : name}.${to}`
}

/** Returns the safe name of an image, with an extension of its format, so that no image is mistaken for a sidecar. */
const uploadedName = (image: ImageToExport): string => {
  if (image.file_name === null) return safeFileName(image.image_name)
  const safe = safeFileName(image.file_name)
  const extension = extensionOfItem(image)
  return endsWith(safe, extension) ? safe : `${safe}.${extension}`
}

/**
 * Returns possible file names of an image, best first: as it is, with the end of its ID, with its whole ID. They do not
 * depend on other images, so that a later export finds its files again.
 */
const fileNamesOf = ({ image_name }: ImageToExport, name: string): string[] => {
  const id = splitName(image_name).stem
  const { stem, extension } = splitName(name)
  const unique = ['', ` (${id.slice(-8)})`, ` (${id})`].map(
    (suffix) => `${stem}${suffix}${extension}`,
  )
  return name === safeFileName(image_name) ? [name] : unique
}

/** Converts a board's name to nested folders (`A/B`), each with a name that is valid on every file system. */
const folderOf = (boardName: string): string[] => {
  const parts = boardName.split('/').filter((part) => part.trim() !== '')
  return (parts.length === 0 ? ['Board'] : parts).map((part) => safeFileName(part.trim(), 'Board'))
}
