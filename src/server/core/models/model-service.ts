import {
  HASH_PENDING,
  type ModelBase,
  type ModelCacheStats,
  type ModelRecord,
  type ModelType,
} from '#contract/models/model.ts'
import type { listModels } from '#contract/models/model-operations.ts'
import type { QueryOf } from '#contract/operation.ts'
import { orRefuse } from '#server/core/refusal.ts'
import type { ModelMemory } from './model-memory.ts'
import { assertLoadable, type ModelFile, type ModelFiles, type ModelRunner } from './model-ports.ts'
import { sortModels } from './sort-models.ts'

/** Serves InvokeAI's model API: the list of models, and the models in memory. */
export class ModelService {
  readonly #parts: { files: ModelFiles; runner: ModelRunner; memory: ModelMemory }

  constructor(parts: { files: ModelFiles; runner: ModelRunner; memory: ModelMemory }) {
    this.#parts = parts
  }

  /** Absent fields of the query do not filter. */
  async list(query: QueryOf<typeof listModels>): Promise<ModelRecord[]> {
    const { base_models, model_type, model_name, model_format, order_by, direction } = query
    const models = (await this.#parts.files.list()).filter(
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
    await this.#parts.runner.load(file)
    return file.record
  }

  stats(): ModelCacheStats {
    return this.#parts.memory.stats(this.#parts.runner.budgetBytes)
  }

  emptyCache(): Promise<void> {
    return this.#parts.runner.empty()
  }

  async #file(key: string): Promise<ModelFile> {
    return orRefuse(await this.#parts.files.get(key), 'model_not_found')
  }

  async #first(fits: (record: ModelRecord) => boolean): Promise<ModelRecord> {
    const models = sortModels(await this.#parts.files.list(), 'path', 'ASC')
    const found = models.find(({ record }) => fits(record))
    return orRefuse(found, 'model_not_found').record
  }
}
