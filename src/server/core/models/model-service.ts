import {
  HASH_PENDING,
  type ModelBase,
  type ModelCacheStats,
  type ModelRecord,
  type ModelType,
} from '#contract/models/model.ts'
import type { listModels } from '#contract/models/model-operations.ts'
import type { QueryOf } from '#contract/operation.ts'
import { Refusal } from '#server/core/refusal.ts'
import type { ModelMemory } from './model-memory.ts'
import { assertLoadable, type ModelFile, type ModelFiles, type ModelRunner } from './model-ports.ts'
import { sortModels } from './sort-models.ts'

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

  /** Absent fields of the query do not filter. */
  async list(query: QueryOf<typeof listModels>): Promise<ModelRecord[]> {
    const { base_models, model_type, model_name, model_format, order_by, direction } = query
    const models = (await this.#files.list()).filter(
      ({ record }) =>
        (base_models === undefined || base_models.some((base) => base === record.base)) &&
        (model_type === undefined || model_type === record.type) &&
        (model_name === undefined || model_name === record.name) &&
        (model_format === undefined || model_format === record.format),
    )
    const sorted = sortModels(models, order_by ?? 'name', direction ?? 'ASC')
    return sorted.map(({ record }) => record)
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
