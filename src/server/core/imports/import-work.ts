import type { ImportRefusal } from '#contract/import.ts'
import { refusals } from '#contract/refusal.ts'
import { Refusal } from '#server/core/refusal.ts'
import type { BoardsOfImport } from './import-boards.ts'
import type { ImportIntake, PreparedFile, PreviewedFile } from './import-intake.ts'
import type { SourceEntry, SourceFault } from './import-ports.ts'
import type { ImportProgress } from './import-progress.ts'

interface WorkParts {
  intake: ImportIntake
  boards: BoardsOfImport
  progress: ImportProgress
  isDryRun: boolean
  /** Aborted when the import stops. Files not decoded by then are left for the next import. */
  signal: AbortSignal
  /** Waits until the user has made room. Returns false if the import was stopped instead. */
  waitForRoom(fault: Refusal): Promise<boolean>
  onRefusal: ((refusal: ImportRefusal) => void) | undefined
}

/** A file before its commit; null if the import was stopped meanwhile. A file with a refusal may still be committed. */
export type ProcessedFile =
  | ((PreparedFile | PreviewedFile) & { refusal?: ImportRefusal })
  | { refusal: ImportRefusal }
  | null

/** Processes the unknown files of an import. */
export class ImportWork {
  readonly #parts: WorkParts
  /** Hashes of files that a dry run would import: eight bytes distinguish a million files. */
  readonly #seen = new Set<string>()
  #hasGap = false

  constructor(parts: WorkParts) {
    this.#parts = parts
  }

  /** Prepares a file. Can run concurrently and in any order. Never throws. */
  async process(entry: SourceEntry): Promise<ProcessedFile> {
    const { intake, isDryRun, signal, waitForRoom } = this.#parts
    while (!signal.aborted) {
      try {
        const worked = await (isDryRun ? intake.look(entry, signal) : intake.prepare(entry, signal))
        return worked.entry === entry ? worked : { ...worked, refusal: recordRefusal(entry) }
      } catch (error) {
        if (signal.aborted) break
        if (!isDiskRefusal(error)) return { refusal: refusalOf(entry, error) }
        await waitForRoom(error)
      }
    }
    return null
  }

  /** Commits files in the order of the source. No file after one left for the next import is committed. */
  async commitInOrder(worked: readonly ProcessedFile[]): Promise<void> {
    const prepared: PreparedFile[] = []
    for (const each of worked) {
      this.#hasGap ||= each === null
      if (each === null) continue
      if (this.#hasGap) {
        if ('taken' in each) await this.#parts.intake.drop(each)
        continue
      }
      if (each.refusal !== undefined) this.refuse(each.refusal)
      if ('taken' in each) prepared.push(each)
      else if ('isKnown' in each) this.#countSeen(each)
    }
    if (prepared.length > 0) await this.#commit(prepared)
  }

  refuse(refusal: ImportRefusal): void {
    this.#parts.progress.addRefusal(refusal)
    this.#parts.onRefusal?.(refusal)
  }

  async #commit(prepared: readonly PreparedFile[]): Promise<void> {
    const { intake, boards, progress, waitForRoom } = this.#parts
    try {
      const boardIds: (string | null)[] = []
      for (const { entry } of prepared) boardIds.push(await boards.idFor(entry))
      const committed = await intake.commit(prepared, boardIds)
      for (const [at, { taken, decoded }] of prepared.entries()) {
        const { outcome, imageName = null } = committed[at] ?? {}
        if (outcome === 'known') progress.countKnown()
        if (outcome !== 'added') continue
        const isVideo = decoded?.video !== undefined
        progress.countTakenIn({ isLinked: taken.isLinked, isVideo })
        const board_id = boardIds[at] ?? null
        if (imageName !== null) progress.noteAdded({ image_name: imageName, board_id })
      }
      await this.#again(prepared.filter((_, at) => committed[at]?.outcome === 'board_not_found'))
    } catch (error) {
      if (!isDiskRefusal(error)) throw error
      if (await waitForRoom(error)) await this.#again(prepared)
    }
  }

  /** Processes files again from the beginning: their staged files are gone, and a board may have been deleted. */
  async #again(prepared: readonly PreparedFile[]): Promise<void> {
    if (prepared.length === 0) return
    this.#parts.boards.forget()
    const worked = []
    for (const { entry } of prepared) worked.push(await this.process(entry))
    await this.commitInOrder(worked)
  }

  #countSeen({ entry, contentHash, isKnown, isVideo }: PreviewedFile): void {
    const { progress } = this.#parts
    const key = contentHash.slice(0, 16)
    if (isKnown || (entry.record === undefined && this.#seen.has(key))) progress.countKnown()
    else progress.countTakenIn({ isLinked: false, isVideo })
    this.#seen.add(key)
  }
}

const recordRefusal = ({ path }: SourceEntry): ImportRefusal =>
  refusalOfFault({ path, reason: 'It does not match its record and is imported as a plain file.' })

/** Refusals caused by the disk and not by the file. The import pauses until the user resumes it. */
const DISK_REFUSALS: readonly string[] = [
  'disk_full',
  'disk_error',
  'library_away',
  'library_read_only',
]

const isDiskRefusal = (error: unknown): error is Refusal =>
  error instanceof Refusal && DISK_REFUSALS.includes(error.code)

export const refusalOfFault = ({ path, reason }: SourceFault): ImportRefusal => ({
  path: path.toWellFormed(),
  code: 'unreadable_file',
  reason,
})

const refusalOf = ({ path }: SourceEntry, error: unknown): ImportRefusal => {
  if (error instanceof Refusal) {
    return { path: path.toWellFormed(), code: error.code, reason: error.message }
  }
  return refusalOfFault({ path, reason: `${refusals.unreadable_file.detail} (${String(error)})` })
}
