import { readFile, rename, writeFile } from 'node:fs/promises'
import type { FileState, HashedModel } from './model-worker.ts'

/** Hashes are written down after so many, and at the end. */
const WRITE_EVERY = 50

/** What is kept between starts, by path below the folder of the models. */
export class ModelHashes {
  readonly #path: string
  readonly #hashes: Map<string, HashedModel>
  #unwritten = 0
  #writing: Promise<void> = Promise.resolve()

  private constructor(path: string, hashes: Map<string, HashedModel>) {
    this.#path = path
    this.#hashes = hashes
  }

  /** @param path - A JSON file. What cannot be read is worked out again. */
  static async open(path: string): Promise<ModelHashes> {
    try {
      const kept = Object.entries(JSON.parse(await readFile(path, 'utf8')) as object)
      return new ModelHashes(path, new Map(kept.filter(isKept)))
    } catch {
      return new ModelHashes(path, new Map())
    }
  }

  /** null: the file has changed since, or was never seen. */
  get(relativePath: string, state: FileState): string | null {
    const kept = this.#hashes.get(relativePath)
    const isSame = kept?.size === state.size && kept.modifiedMs === state.modifiedMs
    return isSame ? kept.hash : null
  }

  keep(relativePath: string, hashed: HashedModel): void {
    this.#hashes.set(relativePath, hashed)
    this.#unwritten += 1
    if (this.#unwritten >= WRITE_EVERY) void this.write()
  }

  /** The file is gone. */
  forget(relativePath: string): void {
    if (this.#hashes.delete(relativePath)) this.#unwritten += 1
  }

  /** Forgets every file but these. */
  keepOnly(relativePaths: ReadonlySet<string>): void {
    for (const path of this.#hashes.keys()) if (!relativePaths.has(path)) this.forget(path)
  }

  /** Writes down what is new or gone. Hashes can be worked out again, so a failure costs time alone. */
  write(): Promise<void> {
    if (this.#unwritten === 0) return this.#writing
    this.#unwritten = 0
    this.#writing = this.#writing.then(() => this.#write()).catch(() => undefined)
    return this.#writing
  }

  async #write(): Promise<void> {
    const temporary = `${this.#path}.new`
    await writeFile(temporary, JSON.stringify(Object.fromEntries(this.#hashes)))
    await rename(temporary, this.#path)
  }
}

const isKept = (entry: [string, unknown]): entry is [string, HashedModel] => {
  const { size, modifiedMs, hash } = (entry[1] ?? {}) as Record<string, unknown>
  return typeof size === 'number' && typeof modifiedMs === 'number' && typeof hash === 'string'
}
