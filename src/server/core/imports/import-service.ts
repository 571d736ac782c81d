import { v7 as timeOrderedId } from 'uuid'
import type {
  AddedImagePage,
  Import,
  ImportRefusal,
  ImportRefusalPage,
  ImportRequest,
} from '#contract/import.ts'
import type { EventSink } from '#server/core/events/event-hub.ts'
import { orRefuse, Refusal } from '#server/core/refusal.ts'
import type { ImportPlan } from './active-imports.ts'
import { cleanBoardName } from './import-boards.ts'
import { ImportNews } from './import-news.ts'
import type { ImportSource, OpenImportSource } from './import-ports.ts'
import { withBusyRetry } from './import-recorder.ts'
import { ImportRun, type RunParts } from './import-run.ts'
import { InterruptedImports } from './interrupted-imports.ts'

export interface ImportParts extends Omit<RunParts, 'news' | 'onRefusal' | 'reservedNames'> {
  open: OpenImportSource
  /** Undefined if no client listens. */
  events?: EventSink
}

/** Maximum number of ended imports that are listed. */
const MAX_ENDED = 50

/** Ended imports that keep all stored refusals and added images. */
const MAX_WHOLE = 3

/** Imports folders of this machine in the background. */
export class ImportService {
  readonly #parts: ImportParts
  readonly #runs = new Map<string, ImportRun>()
  readonly #reservedNames = new Set<string>()
  readonly #cutOff: InterruptedImports
  readonly #news: ImportNews
  #isClosed = false

  constructor(parts: ImportParts) {
    this.#parts = { ...parts, imports: withBusyRetry(parts.imports) }
    this.#cutOff = new InterruptedImports(parts.activeImports)
    this.#news = new ImportNews(parts.events)
  }

  /** Loads the interrupted imports of an earlier run. Call it before any import starts. */
  async recover(): Promise<void> {
    await this.#cutOff.recover()
  }

  /**
   * Starts an import and returns before the first file is read. It resumes an interrupted import of the same folder,
   * because already imported files are known.
   *
   * @param options - `onRefusal` is called for every refused file; the import itself lists the first 1,000.
   * @throws {Refusal} `folder_not_found`, `folder_unreadable`, `folder_is_library`; `import_under_way`: an import of
   *   this folder is active; `invalid_import`.
   */
  async start(
    request: ImportRequest,
    options: { onRefusal?: (refusal: ImportRefusal) => void } = {},
  ): Promise<Import> {
    const importOptions = importOptionsOf(request)
    const source = await this.#parts.open(request.folder)
    this.#parts.intake.prepare()
    const run = await this.#runOf(source, importOptions, options.onRefusal).catch(async (error) => {
      await source.close()
      throw error
    })
    const { import_id, folder, dry_run } = run.progress.toImport()
    await run.begun.catch((error) => {
      this.#runs.delete(import_id)
      throw error
    })
    if (!dry_run) this.#cutOff.replace(folder)
    this.#forgetOld()
    this.#news.reportState()
    return run.progress.toImport()
  }

  /** @throws {Refusal} `import_not_found`, like all methods with an import ID. */
  get(importId: string): Import {
    return this.#cutOff.get(importId) ?? this.#run(importId).progress.toImport()
  }

  /** True while an import reads files. */
  get isRunning(): boolean {
    return [...this.#runs.values()].some(({ progress }) => progress.toImport().state === 'running')
  }

  /** Lists imports since the start of the server, newest first, followed by interrupted ones. */
  list(): Import[] {
    const runs = [...this.#runs.values()].reverse().map((run) => run.progress.toImport())
    return [...runs, ...this.#cutOff.list()]
  }

  refusals(importId: string, window: { offset: number; limit: number }): ImportRefusalPage {
    if (this.#cutOff.get(importId) !== null) return { ...window, total: 0, items: [] }
    return this.#run(importId).progress.refusals(window)
  }

  /** Lists the images that an import added. The list does not survive a restart of the server. */
  added(importId: string, window: { offset: number; limit: number }): AddedImagePage {
    if (this.#cutOff.get(importId) !== null) return { ...window, total: 0, items: [] }
    return this.#run(importId).progress.added(window)
  }

  /** Pauses an import. Does nothing if it has ended. */
  pause(importId: string): Import {
    this.#runs.get(importId)?.pause()
    return this.get(importId)
  }

  resume(importId: string): Import {
    this.#runs.get(importId)?.resume()
    return this.get(importId)
  }

  /** Cancels an import and commits its files in progress. Imported files remain. Dismisses an interrupted import. */
  async cancel(importId: string): Promise<Import> {
    const cutOff = this.#cutOff.get(importId)
    if (cutOff !== null) {
      await this.#cutOff.dismiss(importId)
      this.#news.reportState()
      return { ...cutOff, state: 'canceled' }
    }
    const run = this.#run(importId)
    await run.cancel()
    return run.progress.toImport()
  }

  /** Waits for the end of an import. This may take forever if it is paused. */
  async waitForEnd(importId: string): Promise<Import> {
    const run = this.#run(importId)
    await run.ended
    return run.progress.toImport()
  }

  /** Interrupts all active imports. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#runs.values()].map((run) => run.interrupt()))
    this.#news.close()
  }

  async #runOf(
    source: ImportSource,
    importOptions: ReturnType<typeof importOptionsOf>,
    onRefusal: RunParts['onRefusal'],
  ): Promise<ImportRun> {
    if (importOptions.watch && source.newFiles === undefined) {
      throw new Refusal('invalid_import', 'Only a plain folder of images can be watched.')
    }
    const leftOut = await source.leftOut?.()
    // No await from here to `#runs.set`, so that one of two concurrent requests is refused.
    this.#assertFree(source)
    const plan = {
      ...importOptions,
      import_id: timeOrderedId(),
      folder: source.folder.toWellFormed(),
      source: source.kind,
      ...(leftOut !== undefined && { left_out: leftOut }),
    }
    const run = new ImportRun(
      { ...this.#parts, news: this.#news, reservedNames: this.#reservedNames, onRefusal },
      source,
      plan,
    )
    this.#runs.set(plan.import_id, run)
    return run
  }

  #run(importId: string): ImportRun {
    return orRefuse(this.#runs.get(importId), 'import_not_found')
  }

  #assertFree({ folder }: ImportSource): void {
    if (this.#isClosed) throw new Refusal('stopping')
    const readable = folder.toWellFormed()
    for (const run of this.#runs.values()) {
      if (!run.progress.isEnded && run.progress.toImport().folder === readable)
        throw new Refusal('import_under_way')
    }
  }

  #forgetOld(): void {
    const ended = [...this.#runs].filter(([, run]) => run.progress.isEnded).map(([id]) => id)
    for (const id of ended.slice(0, -MAX_WHOLE)) this.#runs.get(id)?.progress.shorten()
    for (const id of ended.slice(0, -MAX_ENDED)) this.#runs.delete(id)
  }
}

/** @throws {Refusal} `invalid_import`. */
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
