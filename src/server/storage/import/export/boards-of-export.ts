import type { ExportedBoard, ExportManifest, ExportSidecar } from '#server/core/export-files.ts'
import type { SourceEntry } from '#server/core/import-ports.ts'

type OnBoard = Pick<SourceEntry, 'boardName' | 'boardKey'>

/** Which board an image of an export belongs on. */
export class BoardsOfExport {
  readonly #uncategorizedFolder: string | undefined
  readonly #byFolder: ReadonlyMap<string, ExportedBoard>
  readonly #names: ReadonlyMap<string, string>

  /** @param manifest - null: nothing is known of the boards. */
  constructor(manifest: ExportManifest | null) {
    const boards = manifest?.boards ?? []
    this.#uncategorizedFolder = manifest?.uncategorized_folder
    this.#byFolder = new Map(boards.map((board) => [board.folder, board]))
    this.#names = new Map(boards.map((board) => [board.board_id, board.board_name]))
  }

  /** Where its sidecar says. The name counts, since a person can change it; the id tells boards of one name apart. */
  ofSidecar({ board_id, board_name }: ExportSidecar): OnBoard {
    if (board_id === null || this.#names.get(board_id) !== board_name) {
      return { boardName: board_name }
    }
    return { boardName: board_name, boardKey: board_id }
  }

  /** A plain file: on the board whose folder it lies in. */
  ofFolder(relativePath: string): OnBoard {
    const folder = relativePath.split('/').slice(0, -1).join('/')
    if (folder === '' || folder === this.#uncategorizedFolder) return { boardName: null }
    const board = this.#byFolder.get(folder)
    return board ? { boardName: board.board_name, boardKey: board.board_id } : { boardName: folder }
  }
}
