import { lstat } from 'node:fs/promises'
import { basename, extname, relative, sep } from 'node:path'
import { type FSWatcher, watch } from 'chokidar'
import { Piscina } from 'piscina'
import { v5 as uuidOf } from 'uuid'
import { HASH_PENDING, type ModelRecord } from '#contract/models/model.ts'
import type { ModelFile, ModelFiles } from '#server/core/models/model-ports.ts'
import type { ModelCache } from './model-cache.ts'
import { type ModelHeader, unknownKind } from './model-header.ts'
import type { HashedModel, ReadModel } from './model-worker.ts'

/** `.ts` in a clone, `.js` in a build. */
const entry = new URL(`./model-worker${extname(import.meta.url)}`, import.meta.url)

const IDLE_MS = 10_000

/** More than any header needs that the readers accept. A thread that runs out of memory ends the whole server. */
const MAX_HEAP_MIB = 1024

/** Reading headers is CPU work, and the server needs the other cores. */
const HEADER_THREADS = 2

/** Opens threads that run a function of the worker off the event loop. It returns null for a missing file. */
const openThreads = <Result>(name: string, maxThreads: number) =>
  new Piscina<string, Result | null>({
    filename: entry.href,
    name,
    minThreads: 0,
    maxThreads,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
  })

interface FolderParts {
  /** Absolute, with symbolic links resolved. */
  folder: string
  cache: ModelCache
  onFailure(error: unknown): void
  settleMs: number
}

/** Polling interval for a file that is being written, in milliseconds. */
const POLL_MS = 100

export class ModelFolder implements ModelFiles {
  readonly #parts: FolderParts
  readonly #headers = openThreads<ReadModel>('readModel', HEADER_THREADS)
  readonly #hashes = openThreads<HashedModel>('hashModel', 1)
  readonly #watcher: FSWatcher
  readonly #models = new Map<string, ModelFile>()
  /** Active reads by path. Only the latest read of a file counts. */
  readonly #readings = new Map<string, Promise<void>>()
  readonly #firstReading: Promise<void>
  #hashing = 0
  #isClosed = false

  constructor(parts: FolderParts) {
    this.#parts = parts
    this.#watcher = watch(parts.folder, {
      // A link could lead out of the folder, or to a file that is already listed.
      followSymlinks: false,
      ignored: (path, stats) => stats?.isFile() === true && !isModelName(path),
      awaitWriteFinish: { stabilityThreshold: parts.settleMs, pollInterval: POLL_MS },
      ignorePermissionErrors: true,
    })
    this.#watcher
      .on('add', (path) => this.#read(path))
      .on('change', (path) => this.#read(path))
      .on('unlink', (path) => this.#forget(path))
      .on('error', parts.onFailure)
    this.#firstReading = this.#readAll()
  }

  async list(): Promise<ModelFile[]> {
    await this.#firstReading
    return [...this.#models.values()]
  }

  async get(key: string): Promise<ModelFile | null> {
    await this.#firstReading
    return this.#models.get(key) ?? null
  }

  async close(): Promise<void> {
    this.#isClosed = true
    // `destroy` aborts active work.
    await Promise.all([this.#watcher.close(), this.#headers.destroy(), this.#hashes.destroy()])
    await this.#parts.cache.write()
  }

  async #readAll(): Promise<void> {
    await new Promise<void>((resolve) => this.#watcher.once('ready', resolve))
    while (this.#readings.size > 0) await Promise.all(this.#readings.values())
    const paths = new Set([...this.#models.values()].map(({ record }) => record.path))
    // A folder without any model may be a disk that is not mounted, so its cache stays.
    if (paths.size > 0) this.#parts.cache.retainOnly(paths)
    void this.#parts.cache.write()
  }

  #read(path: string): void {
    if (!isModelName(path)) return // a symbolic link can have any name
    const reading: Promise<void> = this.#readHeader(path)
      .catch((error: unknown) => unreadable(error))
      .then((read) => {
        if (this.#readings.get(path) !== reading) return
        this.#readings.delete(path)
        if (read === null) this.#forget(path)
        else this.#setModel(path, read)
      })
    this.#readings.set(path, reading)
  }

  /** Uses the cached header of an unchanged file: reading a hundred headers takes a second. */
  async #readHeader(path: string): Promise<ReadModel | null> {
    const stats = await lstat(path).catch(() => null)
    if (stats?.isFile()) {
      const { size, mtimeMs: modifiedMs, birthtimeMs: createdMs } = stats
      const header = this.#parts.cache.get(this.#relative(path), { size, modifiedMs })?.header
      if (header) return { size, modifiedMs, createdMs, header, fault: null, externalBytes: 0 }
    }
    return this.#headers.run(path)
  }

  #forget(path: string): void {
    this.#readings.delete(path)
    const relativePath = this.#relative(path)
    this.#models.delete(modelKeyOf(relativePath))
    this.#parts.cache.delete(relativePath)
  }

  #setModel(path: string, read: ReadModel): void {
    if (this.#isClosed) return
    const { cache } = this.#parts
    const relativePath = this.#relative(path)
    const before = cache.get(relativePath, read)
    const hash = before?.hash ?? null
    // External weights and faults can change without the model file itself, so they are not cached.
    const isWhole = read.header !== null && read.externalBytes === 0
    if (isWhole && !before?.header) cache.set(relativePath, { ...read, hash })
    const record = modelRecordOf(relativePath, read, hash ?? HASH_PENDING)
    const { createdMs, modifiedMs } = read
    const memoryBytes = read.size + (read.header === null ? 0 : read.externalBytes)
    this.#models.set(record.key, { record, path, memoryBytes, createdMs, modifiedMs })
    if (hash === null) void this.#hash(path, relativePath)
  }

  /** Hashes after all models are listed. If the file changes in the meantime, it is read and hashed again. */
  async #hash(path: string, relativePath: string): Promise<void> {
    const { cache, onFailure } = this.#parts
    this.#hashing += 1
    await this.#firstReading
    const hashed = await this.#hashes.run(path).catch((error: unknown) => {
      if (!this.#isClosed) onFailure(error)
      return null
    })
    this.#hashing -= 1
    if (hashed !== null) this.#setHash(relativePath, hashed)
    if (this.#hashing === 0) await cache.write()
  }

  #setHash(relativePath: string, hashed: HashedModel): void {
    const key = modelKeyOf(relativePath)
    const model = this.#models.get(key)
    if (model?.modifiedMs !== hashed.modifiedMs || model.record.file_size !== hashed.size) return
    this.#parts.cache.set(relativePath, hashed)
    this.#models.set(key, { ...model, record: { ...model.record, hash: hashed.hash } })
  }

  #relative(path: string): string {
    return relative(this.#parts.folder, path).replaceAll(sep, '/')
  }
}

const unreadable = (error: unknown): ReadModel => ({
  size: 0,
  createdMs: 0,
  modifiedMs: 0,
  header: null,
  fault: `The file cannot be read: ${error instanceof Error ? error.message : String(error)}`,
})

/** UUID namespace of the model keys. */
const KEYS = '5f0c5f0e-5a0e-4c39-9d0e-0b6f6f0a4a51'

/** Type and format of a file that cannot be read. */
const brokenKinds: Readonly<Record<string, Pick<ModelHeader, 'type' | 'format'>>> = {
  '.onnx': { type: 'onnx', format: 'onnx' },
  '.gguf': { type: unknownKind.type, format: 'gguf_quantized' },
  '.safetensors': { type: unknownKind.type, format: 'checkpoint' },
}

const isModelName = (path: string): boolean => extensionOf(path) in brokenKinds

const extensionOf = (path: string): string => extname(path).toLowerCase()

/** Returns the key of a model. It depends only on the path below the folder. */
const modelKeyOf = (relativePath: string): string => uuidOf(relativePath, KEYS)

/** @param relativePath - Below the folder, with `/` between its parts. */
function modelRecordOf(relativePath: string, read: ReadModel, hash: string): ModelRecord {
  const extension = extensionOf(relativePath)
  const { format, type } = brokenKinds[extension] ?? {
    format: 'checkpoint',
    type: unknownKind.type,
  }
  return {
    key: modelKeyOf(relativePath),
    hash,
    path: relativePath,
    file_size: read.size,
    name: basename(relativePath).slice(0, -extension.length),
    source: relativePath,
    source_type: 'path',
    source_api_response: null,
    source_url: null,
    cover_image: null,
    fault: read.fault,
    ...(read.header ?? { base: unknownKind.base, type, format, description: read.fault }),
  }
}
