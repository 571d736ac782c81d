import { TRASH_DAYS } from '#contract/limits.ts'
import type { Clock } from './clock.ts'
import type { ImageFiles, ThumbnailFiles, ZipArchives } from './file-ports.ts'
import type { FileRemoval } from './file-removal.ts'
import { NameTable } from './name-table.ts'
import type { TrashRecords, Upkeep } from './record-ports.ts'

const DAY_MS = 86_400_000

/** Names read at once: a few milliseconds of the event loop. */
const NAMES_A_PAGE = 5_000

/** Names that a report lists; the counts are of all. */
const MAX_NAMED = 50

/** What upkeep did, for the log. */
export interface UpkeepReport {
  /** Temporaries of uploads that an earlier run did not finish. */
  temporaries: number
  /** Zips that nobody fetched. */
  downloads: number
  /** Files that no record explains: moved to `set-aside/`, never deleted. */
  setAside: { count: number; paths: string[] }
  /** Records whose file is gone: kept, for someone may bring the file back. */
  missing: { count: number; imageNames: string[] }
  purged: { images: number; boards: number }
}

export interface UpkeepParts {
  upkeep: Upkeep
  trash: Pick<TrashRecords, 'purge'>
  files: ImageFiles
  thumbnails: ThumbnailFiles
  zips: Pick<ZipArchives, 'sweep'>
  removal: FileRemoval
  clock: Clock
  /** Told of a daily purge that failed; it is tried again the day after. */
  onFailure: (error: unknown) => void
}

/**
 * Brings records and files in step when the server starts, and empties what has been in the trash for
 * too long then and every day.
 */
export class UpkeepService {
  readonly #parts: UpkeepParts
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(parts: UpkeepParts) {
    this.#parts = parts
  }

  /** To be awaited before the server listens: a temporary that is swept must not be an upload under way. */
  async start(): Promise<UpkeepReport> {
    const { files, zips, removal, onFailure } = this.#parts
    const temporaries = await files.sweepTemporaries()
    const downloads = await zips.sweep()
    const purged = await this.#purge()
    removal.request()
    await removal.settled()
    const { setAside, missing } = await this.#compare()
    this.#timer = setInterval(() => {
      this.#purge().catch(onFailure)
    }, DAY_MS)
    this.#timer.unref()
    return { temporaries, downloads, setAside, missing, purged }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #purge(): Promise<UpkeepReport['purged']> {
    const { trash, removal, clock } = this.#parts
    const result = await trash.purge(clock() - TRASH_DAYS * DAY_MS)
    if (result.deleted_images > 0) removal.request()
    return { images: result.deleted_images, boards: result.deleted_boards }
  }

  async #compare(): Promise<Pick<UpkeepReport, 'setAside' | 'missing'>> {
    const recorded = await this.#recordedNames()
    const setAside: UpkeepReport['setAside'] = { count: 0, paths: [] }
    const missing: UpkeepReport['missing'] = { count: 0, imageNames: [] }
    for await (const { folder, imageNames } of this.#parts.files.list()) {
      const strays = new Set(imageNames)
      for (const imageName of recorded.namesIn(folder)) {
        if (strays.delete(imageName)) continue
        missing.count++
        if (missing.count <= MAX_NAMED) missing.imageNames.push(imageName)
      }
      for (const imageName of strays) {
        // Asked again at the last moment: nothing is moved on the word of a list.
        if (await this.#isExplained(imageName)) continue
        const path = await this.#parts.files.setAside(imageName)
        await this.#parts.thumbnails.remove([imageName])
        setAside.count++
        if (setAside.count <= MAX_NAMED) setAside.paths.push(path)
      }
    }
    return { setAside, missing }
  }

  async #recordedNames(): Promise<NameTable> {
    const { upkeep } = this.#parts
    const table = new NameTable()
    let after: string | null = null
    for (;;) {
      const names: string[] = await upkeep.allNames(after, NAMES_A_PAGE)
      for (const name of names) table.add(name)
      after = names.at(-1) ?? null
      if (after === null || names.length < NAMES_A_PAGE) return table
    }
  }

  /** Whether a record has this name: the first one behind the name less its last letter. */
  async #isExplained(imageName: string): Promise<boolean> {
    const [next] = await this.#parts.upkeep.allNames(imageName.slice(0, -1), 1)
    return next === imageName
  }
}
