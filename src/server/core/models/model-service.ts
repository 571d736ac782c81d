import {
  HASH_PENDING,
  type ModelBase,
  type ModelCacheStats,
  type ModelFormat,
  type ModelOrder,
  type ModelRecord,
  type ModelType,
} from '#contract/models/model.ts'
import { Refusal } from '#server/core/refusal.ts'
import type { ModelMemory } from './model-memory.ts'
import { assertLoadable, type ModelFile, type ModelFiles, type ModelRunner } from './model-ports.ts'
import { sortModels } from './sort-models.ts'

/** A filter and order of models. Absent fields do not filter. */
export interface ModelView {
  bases?: readonly ModelBase[] | undefined
  type?: ModelType | undefined
  name?: string | undefined
  format?: ModelFormat | undefined
  orderBy: ModelOrder
  direction: 'ASC' | 'DESC'
}

/** Serves InvokeAI's model API: the list of models, and the models in memory. */
export class ModelService {
  readonly #files: ModelFiles
  readonly #runner: ModelRunner
  readonly #memory: ModelMemory

  constructor(parts: { files: ModelFiles; runner: ModelRunner; memory: ModelMemory }) {
    this.#files = parts.files
    this.#runner = parts.runner
    this.#memory = parts.memory
  }

  async list(view: ModelView): Promise<ModelRecord[]> {
    const { bases, type, name, format } = view
    const models = (await this.#files.list()).filter(
      ({ record }) =>
        (bases === undefined || bases.some((base) => base === record.base)) &&
        (type === undefined || type === record.type) &&
        (name === undefined || name === record.name) &&
        (format === undefined || format === record.format),
    )
    return sortModels(models, view.orderBy, view.direction).map(({ record }) => record)
  }

  /** @throws {Refusal} `model_not_found`, like the following methods. */
  async get(key: string): Promise<ModelRecord> {
    return (await this.#file(key)).record
  }

  getByAttributes(of: { name: string; type: ModelType; base: ModelBase }): Promise<ModelRecord> {
    return this.#first(
      ({ name, type, base }) => name === of.name && type === of.type && base === of.base,
    )
  }

  getByHash(hash: string): Promise<ModelRecord> {
    return this.#first((record) => record.hash === hash && hash !== HASH_PENDING)
  }

  /** @throws {Refusal} `model_not_found`, and the refusals of `assertLoadable` and the runner. */
  async load(key: string): Promise<ModelRecord> {
    const file = await this.#file(key)
    assertLoadable(file.record)
    await this.#runner.load(file)
    return file.record
  }

  stats(): ModelCacheStats {
    return this.#memory.stats(this.#runner.budgetBytes)
  }

  emptyCache(): Promise<void> {
    return this.#runner.empty()
  }

  async #file(key: string): Promise<ModelFile> {
    const file = await this.#files.get(key)
    if (file === null) throw new Refusal('model_not_found')
    return file
  }

  async #first(fits: (record: ModelRecord) => boolean): Promise<ModelRecord> {
    const found = sortModels(await this.#files.list(), 'path', 'ASC').find(({ record }) =>
      fits(record),
    )
    if (found === undefined) throw new Refusal('model_not_found')
    return found.record
  }
}
