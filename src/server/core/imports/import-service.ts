import { v7 as timeOrderedId } from 'uuid'
import type { Import, ImportRefusal, ImportRefusalPage, ImportRequest } from '#contract/import.ts'
import { Refusal } from '#server/core/refusal.ts'
import type { ImportPlan } from './active-imports.ts'
import { cleanBoardName } from './import-boards.ts'
import type { ImportSource, OpenImportSource } from './import-ports.ts'
import { withBusyRetry } from './import-recorder.ts'
import { ImportRun, type RunParts } from './import-run.ts'
import { InterruptedImports } from './interrupted-imports.ts'

export interface ImportParts extends Omit<RunParts, 'onRefusal' | 'reservedNames'> {
  open: OpenImportSource
}

/** Imports that have ended and are still told of. */
const MAX_ENDED = 50

/** Those of them that tell of all refusals that were kept. */
const MAX_WHOLE = 3

/** Brings in folders of this machine, in the background. */
export class ImportService {
  readonly #parts: ImportParts
  readonly #runs = new Map<string, ImportRun>()
  readonly #reservedNames = new Set<string>()
  readonly #cutOff: InterruptedImports
  #isClosed = false

  constructor(parts: ImportParts) {
    this.#parts = { ...parts, imports: withBusyRetry(parts.imports) }
    this.#cutOff = new InterruptedImports(parts.activeImports)
  }

  /** Finds the imports that an earlier run of the program did not end. To be called before any is started. */
  async recover(): Promise<void> {
    await this.#cutOff.recover()
  }

  /**
   * Starts to bring in a folder and answers before the first file is read. One of this folder that was cut off is
   * gone on with by it: what came in is known.
   *
   * @param options - `onRefusal` is told of every file that is refused; the import names the first 1,000.
   * @throws {Refusal} `folder_not_found`, `folder_unreadable`, `folder_is_library`; `import_under_way`: this very
   *   folder; `invalid_import`.
   */
  async start(
    request: ImportRequest,
    options: { onRefusal?: (refusal: ImportRefusal) => void } = {},
  ): Promise<Import> {
    const wish = importOptionsOf(request)
    const source = await this.#parts.open(request.folder)
    this.#parts.intake.prepare()
    const run = await this.#runOf(source, wish, options.onRefusal).catch(async (error) => {
      await source.close()
      throw error
    })
    const { import_id, folder, dry_run } = run.toImport()
    await run.begun.catch((error) => {
      this.#runs.delete(import_id)
      throw error
    })
    if (!dry_run) this.#cutOff.replace(folder)
    this.#forgetOld()
    return run.toImport()
  }

  /** @throws {Refusal} `import_not_found`, as all that name one. */
  get(importId: string): Import {
    return this.#cutOff.get(importId) ?? this.#run(importId).toImport()
  }

  /** Those since the server started, newest first, and behind them those that were cut off before. */
  list(): Import[] {
    const runs = [...this.#runs.values()].reverse().map((run) => run.toImport())
    return [...runs, ...this.#cutOff.list()]
  }

  /** Which files were refused, of those that are kept. */
  refusals(importId: string, window: { offset: number; limit: number }): ImportRefusalPage {
    if (this.#cutOff.get(importId) !== null) return { ...window, total: 0, items: [] }
    return this.#run(importId).refusals(window)
  }

  /** Takes no further file until it is resumed. One that does not go on stays as it is. */
  pause(importId: string): Import {
    this.#runs.get(importId)?.pause()
    return this.get(importId)
  }

  resume(importId: string): Import {
    this.#runs.get(importId)?.resume()
    return this.get(importId)
  }

  /**
   * Ends it for good, once what is under way has landed. What was taken in stays. One that was cut off is told of
   * no more.
   */
  async cancel(importId: string): Promise<Import> {
    const cutOff = this.#cutOff.get(importId)
    if (cutOff !== null) {
      await this.#cutOff.dismiss(importId)
      return { ...cutOff, state: 'canceled' }
    }
    const run = this.#run(importId)
    await run.cancel()
    return run.toImport()
  }

  /** Waits for the end of an import. One that is paused has none. */
  async waitForEnd(importId: string): Promise<Import> {
    const run = this.#run(importId)
    await run.ended
    return run.toImport()
  }

  /** Ends all in order, as cut off. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#runs.values()].map((run) => run.interrupt()))
  }

  async #runOf(
    source: ImportSource,
    wish: ReturnType<typeof importOptionsOf>,
    onRefusal: RunParts['onRefusal'],
  ): Promise<ImportRun> {
    if (wish.watch && source.newFiles === undefined) {
      throw new Refusal('invalid_import', 'Only a plain folder of images can be watched.')
    }
    const leftOut = await source.leftOut?.()
    // From here on nothing waits: of two that ask at once one is refused.
    this.#assertFree(source)
    const plan = {
      ...wish,
      import_id: timeOrderedId(),
      folder: source.folder.toWellFormed(),
      source: source.kind,
      ...(leftOut !== undefined && { left_out: leftOut }),
    }
    const run = new ImportRun(
      { ...this.#parts, reservedNames: this.#reservedNames, onRefusal },
      source,
      plan,
    )
    this.#runs.set(plan.import_id, run)
    return run
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
    for (const id of ended.slice(0, -MAX_WHOLE)) this.#runs.get(id)?.shorten()
    for (const id of ended.slice(0, -MAX_ENDED)) this.#runs.delete(id)
  }
}

/**
 * What is asked for, with nothing left open.
 *
 * @throws {Refusal} `invalid_import`.
 */
const importOptionsOf = (
  request: ImportRequest,
): Pick<ImportPlan, 'boards' | 'board_name' | 'link' | 'watch' | 'dry_run'> => {
  const { boards = 'folders', link = false, watch = false, dry_run = false } = request
  const board_name = boards === 'one' ? cleanBoardName(request.board_name ?? '') : null
  if (board_name === '') throw new Refusal('invalid_import')
  if (watch && dry_run) {
    throw new Refusal('invalid_import', 'A preview of an import cannot watch the folder.')
  }
  return { boards, board_name, link, watch, dry_run }
}
