import { orIfRefused } from '#client/errors.ts'
import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import type {
  ModelBase,
  ModelCacheStats,
  ModelFormat,
  ModelRecord,
  ModelType,
} from '#contract/models/model.ts'
import {
  emptyModelCache,
  getModelStats,
  loadModel,
} from '#contract/models/model-cache-operations.ts'
import { getModel, listModels } from '#contract/models/model-operations.ts'

/** Filters of `list`. Absent filters match all models. */
export interface ListModelsOptions extends CallOptions {
  readonly baseModels?: readonly ModelBase[] | undefined
  readonly modelType?: ModelType | undefined
  readonly modelName?: string | undefined
  readonly modelFormat?: ModelFormat | undefined
}

/** Requests about the models of a server that can run graphs. */
export class ModelOperations {
  readonly #http: Http

  /** @internal */
  constructor(http: Http) {
    this.#http = http
  }

  /** Lists models by name. The list may be empty. */
  async list(options: ListModelsOptions = {}): Promise<ModelRecord[]> {
    const { baseModels, modelType, modelName, modelFormat, ...call } = options
    const query = {
      base_models: baseModels && [...baseModels],
      model_type: modelType,
      model_name: modelName,
      model_format: modelFormat,
    }
    return (await this.#http.call(listModels, { query, ...call })).models
  }

  /** Reads one model. Returns null if no model has this key. */
  async get(key: string, options: CallOptions = {}): Promise<ModelRecord | null> {
    const model = this.#http.call(getModel, { params: { key }, ...options })
    return orIfRefused(model, null, 'model_not_found')
  }

  /**
   * Loads a model into memory. InvokeAI does not support this: it loads models when a graph needs them.
   *
   * @throws {RefusedError} `model_not_found`; `method_not_allowed` from InvokeAI.
   */
  load(key: string, options: CallOptions = {}): Promise<ModelRecord> {
    return this.#http.call(loadModel, { body: { key }, ...options })
  }

  /** Reads the statistics of the model cache. Null from an InvokeAI that has not loaded a model yet. */
  stats(options: CallOptions = {}): Promise<ModelCacheStats | null> {
    return this.#http.call(getModelStats, options)
  }

  /** Unloads all models that are not in use. */
  async emptyCache(options: CallOptions = {}): Promise<void> {
    await this.#http.call(emptyModelCache, options)
  }
}
