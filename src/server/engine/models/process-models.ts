import type { ModelFile, ModelRunner } from '#server/core/models/model-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { RUNTIME_MISSING } from './node-models.ts'

/** The node process, as far as models use it. */
export interface ModelProcess {
  /** Null if the process is not running. */
  readonly pid: number | null
  loadModel(model: ModelFile): Promise<void>
  emptyModels(): Promise<void>
}

/** Runs models in the node process, so that a crash of ONNX Runtime does not end the server. */
export class ProcessModels implements ModelRunner {
  readonly budgetBytes: number
  readonly #process: ModelProcess

  constructor(process: ModelProcess, budgetBytes: number) {
    this.#process = process
    this.budgetBytes = budgetBytes
  }

  async load(model: ModelFile): Promise<void> {
    try {
      await this.#process.loadModel(model)
    } catch (error) {
      throw refusalOf(error)
    }
  }

  async empty(): Promise<void> {
    if (this.#process.pid !== null) await this.#process.emptyModels()
  }
}

const refusalOf = (error: unknown): unknown => {
  if (!(error instanceof NodeFault)) return error
  const isMissing = error.type === RUNTIME_MISSING
  const code = isMissing ? 'model_runtime_missing' : 'model_load_failed'
  return new Refusal(code, error.message, { cause: error })
}
