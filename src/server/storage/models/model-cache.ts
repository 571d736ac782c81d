import { readFile, rename, writeFile } from 'node:fs/promises'
import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { Nullable } from '#contract/schema.ts'
import type { ModelHeader } from './model-header.ts'
import type { FileState } from './model-worker.ts'

const text = Type.String()
const Header = Type.Object({ type: text, base: text, format: text, description: text })

/** Cached results for a file in the state in which it was read. */
const CachedModel = Type.Object({
  size: Type.Number(),
  modifiedMs: Type.Number(),
  /** null: not hashed yet. */
  hash: Nullable(Type.String()),
  /** null: not read yet, or not cached because the fault may be fixed without changing the file. */
  header: Nullable(Type.Unsafe<ModelHeader>(Header)),
})
type CachedModel = Static<typeof CachedModel>

/** Increase it when the header readers extract more: headers are then read again, hashes are not. */
const READERS = 1

/** Number of changes after which the cache is written. It is also written at the end. */
const WRITE_EVERY = 50

/** Headers and hashes by path below the models folder, kept between starts because computing them takes long. */
export class ModelCache {
  readonly #path: string
  readonly #models: Map<string, CachedModel>
  #unwritten = 0
  #writing: Promise<void> = Promise.resolve()

  private constructor(path: string, models: Map<string, CachedModel>) {
    this.#path = path
    this.#models = models
  }

  /** @param path - A JSON file. If it is unreadable, the cache starts empty. */
  static async open(path: string): Promise<ModelCache> {
    try {
      const { readers, models } = JSON.parse(await readFile(path, 'utf8')) as Record<string, object>
      const entries = Object.entries(models ?? {}).filter(isCachedModel)
      const isOld = Number(readers) !== READERS
      return new ModelCache(
        path,
        new Map(entries.map(([of, model]) => [of, isOld ? { ...model, header: null } : model])),
      )
    } catch {
      return new ModelCache(path, new Map())
    }
  }

  /** null: the file is unknown or has changed. */
  get(relativePath: string, { size, modifiedMs }: FileState): CachedModel | null {
    const entry = this.#models.get(relativePath)
    return entry?.size === size && entry.modifiedMs === modifiedMs ? entry : null
  }

  /** Merges new results into the entry of a file in this state. */
  set(relativePath: string, found: FileState & Partial<CachedModel>): void {
    const before = this.get(relativePath, found) ?? { hash: null, header: null }
    const { size, modifiedMs, hash = before.hash, header = before.header } = found
    this.#models.set(relativePath, { size, modifiedMs, hash, header })
    this.#unwritten += 1
    if (this.#unwritten >= WRITE_EVERY) void this.write()
  }

  delete(relativePath: string): void {
    if (this.#models.delete(relativePath)) this.#unwritten += 1
  }

  retainOnly(relativePaths: ReadonlySet<string>): void {
    for (const path of this.#models.keys()) if (!relativePaths.has(path)) this.delete(path)
  }

  /** Writes changed entries to disk. Errors are ignored, because all entries can be computed again. */
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

const isCachedModel = (entry: [string, unknown]): entry is [string, CachedModel] =>
  Value.Check(CachedModel, entry[1])
