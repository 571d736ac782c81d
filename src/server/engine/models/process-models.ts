import type { ModelFile, ModelRunner } from '#server/core/models/model-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import type { ModelAsk } from './model-calls.ts'
import { RUNTIME_MISSING } from './node-models.ts'

/** The process that runs nodes, as models need it. */
export interface ModelProcess {
  /** null: it is not running. */
  readonly pid: number | null
  call(ask: ModelAsk): Promise<void>
}

/** Models in the process that runs nodes: what ONNX Runtime does there never ends the server. */
export class ProcessModels implements ModelRunner {
  readonly budgetBytes: number
  readonly #process: ModelProcess

  constructor(process: ModelProcess, budgetBytes: number) {
    this.#process = process
    this.budgetBytes = budgetBytes
  }

  async load(model: ModelFile): Promise<void> {
    try {
      await this.#process.call({ method: 'load', model })
    } catch (error) {
      throw refusalOf(error)
    }
  }

  async empty(): Promise<void> {
    if (this.#process.pid !== null) await this.#process.call({ method: 'empty' })
  }
}

const refusalOf = (error: unknown): unknown => {
  if (!(error instanceof NodeFault)) return error
  const isMissing = error.type === RUNTIME_MISSING
  const code = isMissing ? 'model_runtime_missing' : 'model_load_failed'
  return new Refusal(code, error.message, { cause: error })
}
