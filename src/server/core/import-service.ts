import { v7 as timeOrderedId } from 'uuid'
import type { Import, ImportRefusal, ImportRequest } from '#contract/import.ts'
import { cleanBoardName } from './import-boards.ts'
import type { ImportSource, OpenImportSource } from './import-ports.ts'
import type { ImportPlan } from './import-progress.ts'
import { ImportRun, type RunParts } from './import-run.ts'
import { patientImportRecords } from './patient-import-records.ts'
import { Refusal } from './refusal.ts'

export interface ImportParts extends Omit<RunParts, 'onRefusal'> {
  open: OpenImportSource
}

/** Imports that have ended and are still told of. */
const MAX_ENDED = 50

/** Brings in folders of this machine, in the background. */
export class ImportService {
  readonly #parts: ImportParts
  readonly #runs = new Map<string, ImportRun>()
  #isClosed = false

  constructor(parts: ImportParts) {
    this.#parts = { ...parts, imports: patientImportRecords(parts.imports) }
  }

  /**
   * Starts to bring in a folder and answers at once.
   *
   * @param options - `onRefusal` is told of every file that is refused; the import names the first 1,000.
   * @throws {Refusal} `folder_not_found`, `folder_unreadable`, `folder_is_library`; `import_under_way`: this very
   *   folder; `invalid_import`.
   */
  async start(
    request: ImportRequest,
    options: { onRefusal?: (refusal: ImportRefusal) => void } = {},
  ): Promise<Import> {
    const boards = request.boards ?? 'folders'
    const boardName = boards === 'one' ? cleanBoardName(request.board_name ?? '') : null
    if (boardName === '') throw new Refusal('invalid_import')
    if (request.watch && request.dry_run) {
      throw new Refusal('invalid_import', 'What only shows what would be done cannot watch.')
    }
    const source = await this.#parts.open(request.folder)
    this.#parts.intake.prepare()
    let leftOut: number | undefined
    try {
      this.#assertFree(source)
      if (request.watch && source.arrivals === undefined) {
        throw new Refusal('invalid_import', 'Only a plain folder of images can be watched.')
      }
      leftOut = await source.leftOut?.()
    } catch (error) {
      await source.close()
      throw error
    }
    const plan: ImportPlan = {
      import_id: timeOrderedId(),
      folder: source.folder.toWellFormed(),
      source: source.kind,
      boards,
      board_name: boardName,
      link: request.link ?? false,
      watch: request.watch ?? false,
      dry_run: request.dry_run ?? false,
      ...(leftOut !== undefined && { left_out: leftOut }),
    }
    const run = new ImportRun({ ...this.#parts, onRefusal: options.onRefusal }, source, plan)
    this.#runs.set(plan.import_id, run)
    this.#forgetOld()
    return run.toImport()
  }

  /** @throws {Refusal} `import_not_found`, as all that name one. */
  get(importId: string): Import {
    return this.#run(importId).toImport()
  }

  /** Those since the server started, newest first. */
  list(): Import[] {
    return [...this.#runs.values()].reverse().map((run) => run.toImport())
  }

  /** Takes no further file until it is resumed. One that has ended stays as it is. */
  pause(importId: string): Import {
    const run = this.#run(importId)
    run.pause()
    return run.toImport()
  }

  resume(importId: string): Import {
    const run = this.#run(importId)
    run.resume()
    return run.toImport()
  }

  /** Ends it for good, once what is under way has landed. What was taken in stays. */
  async cancel(importId: string): Promise<Import> {
    const run = this.#run(importId)
    await run.cancel()
    return run.toImport()
  }

  /** Waits for the end of an import. One that is paused has none. */
  async ended(importId: string): Promise<Import> {
    const run = this.#run(importId)
    await run.ended
    return run.toImport()
  }

  /** Ends all in order. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#runs.values()].map((run) => run.cancel()))
  }

  #run(importId: string): ImportRun {
    const run = this.#runs.get(importId)
    if (run === undefined) throw new Refusal('import_not_found')
    return run
  }

  #assertFree({ folder }: ImportSource): void {
    if (this.#isClosed) throw new Refusal('stopping')
    const readable = folder.toWellFormed()
    for (const run of this.#runs.values()) {
      if (!run.isEnded && run.toImport().folder === readable) throw new Refusal('import_under_way')
    }
  }

  #forgetOld(): void {
    const ended = [...this.#runs].filter(([, run]) => run.isEnded).map(([id]) => id)
    for (const id of ended.slice(0, -MAX_ENDED)) this.#runs.delete(id)
  }
}
