import { isRefused } from '#client/errors.ts'
import type { ModelCacheStats, ModelRecord } from '#client/records.ts'
import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import type { ModelBase, ModelFormat, ModelType } from '#contract/models/model.ts'
import {
  emptyModelCache,
  getModelStats,
  loadModel,
} from '#contract/models/model-cache-operations.ts'
import { getModel, listModels } from '#contract/models/model-operations.ts'

/** Which models are listed. */
export interface ListModelsOptions extends CallOptions {
  readonly baseModels?: readonly ModelBase[] | undefined
  readonly modelType?: ModelType | undefined
  readonly modelName?: string | undefined
  readonly modelFormat?: ModelFormat | undefined
}

/** The models of a server that has an engine (spec 4.1). */
export class ModelOperations {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** Models, by name; may be empty. */
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

  /** One model; null when there is none of this key. */
  async get(key: string, options: CallOptions = {}): Promise<ModelRecord | null> {
    try {
      return await this.#http.call(getModel, { params: { key }, ...options })
    } catch (error) {
      if (isRefused(error, 'model_not_found')) return null
      throw error
    }
  }

  /**
   * Loads a model into memory. InvokeAI has no such call: it loads a model when a graph needs it.
   *
   * @throws {RefusedError} `model_not_found`; `method_not_allowed` from InvokeAI.
   */
  load(key: string, options: CallOptions = {}): Promise<ModelRecord> {
    return this.#http.call(loadModel, { body: { key }, ...options })
  }

  /** What keeping models in memory came to; null: nothing was loaded yet, as far as InvokeAI goes. */
  stats(options: CallOptions = {}): Promise<ModelCacheStats | null> {
    return this.#http.call(getModelStats, options)
  }

  /** Takes every model out of memory that is not at work. */
  async emptyCache(options: CallOptions = {}): Promise<void> {
    await this.#http.call(emptyModelCache, options)
  }
}
