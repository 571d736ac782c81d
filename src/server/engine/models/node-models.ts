import type { InferenceSession } from 'onnxruntime-node'
import { assertLoadable, type EngineModels } from '#server/core/models/model-ports.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import type { LoadedModels } from './loaded-models.ts'

/** Finds models by the names in graphs. */
export class NodeModels {
  readonly #models: Pick<EngineModels, 'find'>
  readonly #loaded: LoadedModels

  constructor(models: Pick<EngineModels, 'find'>, loaded: LoadedModels) {
    this.#models = models
    this.#loaded = loaded
  }

  /**
   * Calls `work` with a model, which stays in memory until `work` ends.
   *
   * @throws {NodeFault} The model does not exist or cannot be loaded.
   */
  async use<T>(keyOrName: string, work: (session: InferenceSession) => Promise<T>): Promise<T> {
    const file = await this.#models.find(keyOrName)
    if (file === null) throw new NodeFault(`There is no model ${keyOrName}.`, UNKNOWN_MODEL)
    try {
      assertLoadable(file.record)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new NodeFault(reason, LOAD_FAULT, { cause })
    }
    return this.#loaded.use(file, work)
  }
}

/** Values of `error_type` for model faults. */
const UNKNOWN_MODEL = 'UnknownModelException'
export const LOAD_FAULT = 'ModelLoadError'
export const RUNTIME_MISSING = 'ModelRuntimeMissing'
