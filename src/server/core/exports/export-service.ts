import pLimit from 'p-limit'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import type { OriginalCheck } from '#server/core/images/original-check.ts'
import { Refusal } from '#server/core/refusal.ts'
import { type ExportSidecar, renderTime } from './export-files.ts'
import { ExportLayout, type ExportNames } from './export-layout.ts'
import type {
  BoardToExport,
  ExportFolder,
  ExportPlace,
  ExportRecords,
  ImageToExport,
  PutOutcome,
} from './export-ports.ts'
import { xmpOf } from './export-xmp.ts'
import { walkExport, workOnAll } from './walk-export.ts'

/** Originals that are checked concurrently. */
const CONCURRENCY = 4

export interface ExportRequest {
  /** Names of boards, `Assets` for images without a board; null: everything. */
  boards: readonly string[] | null
  /** Creates hard links if the file system supports them. */
  link: boolean
  /** null: uploaded names in the folders of boards. */
  names: ExportNames | null
  /** Writes XMP sidecars of rated and tagged images. */
  hasXmp: boolean
}

/** Progress of an export, in images. */
export interface ExportProgress {
  /** Total to export. */
  found: number
  copied: number
  linked: number
  /** Already in the folder. */
  known: number
  failed: number
  /** The first 1,000. */
  failures: { imageName: string; reason: string }[]
}

const MAX_FAILURES = 1000

export interface ExportParts {
  records: ExportRecords
  folder: ExportFolder
  originals: Pick<OriginalCheck, 'stateOf'>
}

/**
 * Exports a library to a folder: boards as folders, the original image files, and a sidecar for each. Leaves existing
 * files, so that an interrupted export can continue and a later one adds only new images.
 */
export class ExportService {
  readonly #parts: ExportParts

  constructor(parts: ExportParts) {
    this.#parts = parts
  }

  /**
   * Exports until it is complete or `signal` is aborted. Images written until then remain.
   *
   * @throws {Refusal} `board_not_found`, with the name of the board.
   * @throws {TargetFolderError} The disk is full or cannot be written.
   */
  async run(
    { boards, link, names, hasXmp }: ExportRequest,
    { signal, onProgress }: { signal: AbortSignal; onProgress?: (done: ExportProgress) => void },
  ): Promise<ExportProgress> {
    const { records, folder } = this.#parts
    const progress: ExportProgress = {
      ...{ found: 0, copied: 0, linked: 0, known: 0 },
      ...{ failed: 0, failures: [] },
    }
    let isWhole = false
    try {
      const boardIds = await boardIdsOf(boards, records)
      progress.found = await records.count(boardIds)
      const layout = new ExportLayout(await folder.manifest(), {
        names,
        count: progress.found,
      })
      await this.#noteBoards(layout, boardIds)
      isWhole = await walkExport(records, { boardIds, signal }, async (images) => {
        if (!images.every((image) => layout.hasFolder(image)))
          await this.#noteBoards(layout, boardIds)
        await this.#putAll(images, layout, { link, hasXmp, signal, progress, onProgress })
      })
    } finally {
      await folder.close({ isWhole })
    }
    return progress
  }

  async #noteBoards(layout: ExportLayout, boardIds: readonly string[] | null): Promise<void> {
    const boards = await this.#parts.records.boards()
    layout.add(boards.filter(({ board_id }) => boardIds?.includes(board_id) ?? true))
    await this.#parts.folder.writeManifest(layout.manifest())
  }

  /** Writes a page of images concurrently and records their order. */
  async #putAll(
    images: readonly ImageToExport[],
    layout: ExportLayout,
    run: {
      link: boolean
      hasXmp: boolean
      signal: AbortSignal
      progress: ExportProgress
      onProgress: ((done: ExportProgress) => void) | undefined
    },
  ): Promise<void> {
    // Check before writing, so that places are reserved in order: the first of several equal names gets no number.
    const damaged = await this.#damaged(images)
    const places: (ExportPlace | null)[] = []
    await workOnAll(images, run.signal, async (image, at) => {
      const { place, outcome } = damaged.has(image.image_name)
        ? { place: null, outcome: { failure: 'The file is damaged.' } }
        : await this.#put(image, layout, run)
      places[at] = place
      count(run.progress, image, outcome)
      run.onProgress?.(run.progress)
    })
    await this.#parts.folder.addToOrder(places.filter((place) => place !== null))
  }

  /** Returns the names of damaged images. The target folder reports missing and unreadable files when it reads them. */
  async #damaged(images: readonly ImageToExport[]): Promise<Set<string>> {
    const { originals } = this.#parts
    const turn = pLimit(CONCURRENCY)
    const states = await turn.map(images, (image) => originals.stateOf(image).catch(() => null))
    const damaged = images.filter((_, at) => states[at] === 'damaged')
    return new Set(damaged.map(({ image_name }) => image_name))
  }

  /** Writes an image to the first of its places that is not taken by another file. */
  async #put(
    image: ImageToExport,
    layout: ExportLayout,
    { link, hasXmp }: Pick<ExportRequest, 'link' | 'hasXmp'>,
  ): Promise<{ place: ExportPlace | null; outcome: PutOutcome }> {
    const sidecar = sidecarOf(image, layout.boardName(image))
    const xmp = hasXmp ? xmpOf(image) : null
    const put = { imageName: image.image_name, sidecar }
    for (const place of layout.placesOf(image)()) {
      const outcome = await this.#parts.folder.put(put, place, { link, xmp })
      if (outcome !== 'taken') return { place, outcome }
    }
    return { place: null, outcome: 'taken' }
  }
}

const count = (
  progress: ExportProgress,
  { image_name: imageName }: ImageToExport,
  outcome: PutOutcome,
): void => {
  if (typeof outcome === 'string' && outcome !== 'taken') {
    progress[outcome]++
    return
  }
  progress.failed++
  if (progress.failures.length >= MAX_FAILURES) return
  const reason = outcome === 'taken' ? 'Other files are in its place.' : outcome.failure
  progress.failures.push({ imageName, reason })
}

/** @throws {Refusal} `board_not_found`, with the name of the board. */
export const boardIdsOf = async (
  names: ExportRequest['boards'],
  records: Pick<ExportRecords, 'boards'>,
): Promise<string[] | null> => (names === null ? null : idsOf(names, await records.boards()))

const idsOf = (names: readonly string[], boards: readonly BoardToExport[]): string[] =>
  names.flatMap((name) => {
    const named = boards.filter(({ board_name }) => board_name === name)
    if (named.length > 0) return named.map(({ board_id }) => board_id)
    if (name === UNCATEGORIZED_BOARD_NAME) return [UNCATEGORIZED_BOARD_ID]
    throw new Refusal('board_not_found', `There is no board “${name}”.`)
  })

const sidecarOf = (image: ImageToExport, boardName: string | null): ExportSidecar => ({
  tessera_sidecar: 1,
  image_name: image.image_name,
  file_name: image.file_name,
  file_size: image.file_size,
  content_hash: image.content_hash,
  board_id: boardName === null ? null : image.board_id,
  board_name: boardName,
  starred: image.starred,
  image_category: image.image_category,
  image_origin: image.image_origin,
  created_at: renderTime(image.created_at),
  taken_at: image.taken_at === null ? null : renderTime(image.taken_at),
  session_id: image.session_id,
  node_id: image.node_id,
  metadata: image.invokeai,
  workflow: image.workflow,
  graph: image.graph,
  ...(image.rating > 0 && { rating: image.rating }),
  ...(image.tags.length > 0 && { tags: [...image.tags] }),
  ...(image.poster_ms !== null && { poster_ms: image.poster_ms }),
})
