import { readFile, rename, writeFile } from 'node:fs/promises'
import type { ModelHeader } from './model-header.ts'
import type { FileState } from './model-worker.ts'

/** What was worked out of a file, for the state in which it was read. */
export interface KeptModel extends FileState {
  /** null: not yet. */
  readonly hash: string | null
  /** null: not yet, or what is wrong with the file may be mended without changing it. */
  readonly header: ModelHeader | null
}

/** It is raised when headers come to say more: those that were kept before are read again, hashes are not. */
const READERS = 1

/** It is written down after so many changes, and at the end. */
const WRITE_EVERY = 50

/** What is kept between starts, by path below the folder of the models: hashing and reading all again takes long. */
export class KeptModels {
  readonly #path: string
  readonly #models: Map<string, KeptModel>
  #unwritten = 0
  #writing: Promise<void> = Promise.resolve()

  private constructor(path: string, models: Map<string, KeptModel>) {
    this.#path = path
    this.#models = models
  }

  /** @param path - A JSON file. What cannot be read is worked out again. */
  static async open(path: string): Promise<KeptModels> {
    try {
      const { readers, models } = JSON.parse(await readFile(path, 'utf8')) as Record<string, object>
      const kept = Object.entries(models ?? {}).filter(isKept)
      const isOld = Number(readers) !== READERS
      return new KeptModels(
        path,
        new Map(kept.map(([of, model]) => [of, isOld ? { ...model, header: null } : model])),
      )
    } catch {
      return new KeptModels(path, new Map())
    }
  }

  /** null: the file has changed since, or was never seen. */
  get(relativePath: string, { size, modifiedMs }: FileState): KeptModel | null {
    const kept = this.#models.get(relativePath)
    return kept?.size === size && kept.modifiedMs === modifiedMs ? kept : null
  }

  /** Keeps what is said; what else is known of the file in this state stays. */
  keep(relativePath: string, found: FileState & Partial<KeptModel>): void {
    const before = this.get(relativePath, found) ?? { hash: null, header: null }
    const { size, modifiedMs, hash = before.hash, header = before.header } = found
    this.#models.set(relativePath, { size, modifiedMs, hash, header })
    this.#unwritten += 1
    if (this.#unwritten >= WRITE_EVERY) void this.write()
  }

  /** The file is gone. */
  forget(relativePath: string): void {
    if (this.#models.delete(relativePath)) this.#unwritten += 1
  }

  /** Forgets every file but these. */
  keepOnly(relativePaths: ReadonlySet<string>): void {
    for (const path of this.#models.keys()) if (!relativePaths.has(path)) this.forget(path)
  }

  /** Writes down what is new or gone. All of it can be worked out again, so a failure costs time alone. */
  write(): Promise<void> {
    if (this.#unwritten === 0) return this.#writing
    this.#unwritten = 0
    this.#writing = this.#writing.then(() => this.#write()).catch(() => undefined)
    return this.#writing
  }

  async #write(): Promise<void> {
    const temporary = `${this.#path}.new`
    const models = Object.fromEntries(this.#models)
    await writeFile(temporary, JSON.stringify({ readers: READERS, models }))
    await rename(temporary, this.#path)
  }
}

const isKept = (entry: [string, unknown]): entry is [string, KeptModel] => {
  const { size, modifiedMs, hash, header } = (entry[1] ?? {}) as Record<string, unknown>
  const isState = typeof size === 'number' && typeof modifiedMs === 'number'
  return (
    isState && (hash === null || typeof hash === 'string') && (header === null || isHeader(header))
  )
}

const isHeader = (header: unknown): boolean => {
  const { type, base, format, description } = (header ?? {}) as Record<string, unknown>
  return [type, base, format, description].every((word) => typeof word === 'string')
}
