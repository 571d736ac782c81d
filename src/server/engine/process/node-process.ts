import type { GraphNode } from '#contract/queue/graph.ts'
import type { EngineModels, ModelFile, ModelRunner } from '#server/core/models/model-ports.ts'
import type { EngineLibrary } from '#server/core/queue/engine-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { RUNTIME_MISSING } from '#server/engine/models/onnx-runtime.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { CallableProcess, type ChildEnd } from '#server/processes/callable-process.ts'
import type { ErrorData } from '#server/processes/calls.ts'
import type {
  ChildOptions,
  NodeMethods,
  NodeProgress,
  NodeResult,
  NodeRunner,
  ServerMethods,
} from './messages.ts'

/** Time for a node to react to a cancel before its process is killed. A cancel must take effect within 500 ms. */
const ABORT_MS = 300

/** Heap limit of JavaScript objects. Pixels are outside of the heap and count toward the resident memory. */
const MAX_HEAP_MIB = 1024

/**
 * The process that runs nodes and their models, so that a crash of ONNX Runtime does not end the server. It starts on
 * first use, is reused, and is restarted after it dies.
 */
export class NodeProcess
  extends CallableProcess<NodeMethods, ServerMethods>
  implements NodeRunner, ModelRunner
{
  readonly budgetBytes: number
  readonly #library: EngineLibrary

  constructor(options: ChildOptions, library: EngineLibrary, models: EngineModels) {
    super({
      entry: { name: 'engine-child', beside: import.meta.url },
      options,
      maxMemoryBytes: options.maxMemoryBytes,
      maxHeapMib: MAX_HEAP_MIB,
      handlers: {
        image: ([imageName]) => library.image(imageName),
        openFile: ([imageName]) => library.openFile(imageName),
        metadata: ([imageName]) => library.metadata(imageName),
        find: ([keyOrName]) => models.find(keyOrName),
        report: ([news]) => models.report(news),
      },
      errorOf: faultOf,
      onEnd: (end) => {
        models.report({ what: 'lost' })
        return deathOf(end, options)
      },
    })
    this.budgetBytes = options.modelMemoryBytes
    this.#library = library
  }

  async run(
    node: GraphNode,
    onProgress: (progress: NodeProgress) => void,
    signal: AbortSignal,
  ): Promise<NodeResult> {
    try {
      return await this.call('run', [node], { onProgress, signal, abortMs: ABORT_MS })
    } finally {
      await this.#library.closeFiles()
    }
  }

  /** Loads a model, even while a node runs. */
  async load(model: ModelFile): Promise<void> {
    this.#assertOpen()
    await this.call('loadModel', [model]).catch((error: unknown) => {
      throw refusalOf(error)
    })
  }

  async empty(): Promise<void> {
    if (this.pid === null) return
    this.#assertOpen()
    await this.call('emptyModels', [])
  }

  #assertOpen(): void {
    if (this.isClosed) throw new Refusal('stopping')
  }
}

const faultOf = ({ name, type = name, message, stack }: ErrorData): NodeFault => {
  const fault = new NodeFault(message, type)
  fault.stack = stack
  return fault
}

/** Converts the fault of a model that cannot be loaded to a refusal. */
const refusalOf = (error: unknown): unknown => {
  if (!(error instanceof NodeFault)) return error
  const code = error.type === RUNTIME_MISSING ? 'model_runtime_missing' : 'model_load_failed'
  return new Refusal(code, error.message, { cause: error })
}

/** Returns the fault of an item whose node ended the process. */
function deathOf(
  { limit, code, signal, lastWords }: ChildEnd,
  { maxMemoryBytes }: ChildOptions,
): NodeFault {
  if (limit === 'memory') {
    const mib = Math.round(maxMemoryBytes / 1024 / 1024)
    return new NodeFault(
      `The node needed more memory than a run may use (${mib} MiB in all).`,
      'OutOfMemoryError',
    )
  }
  const how = signal === null ? `with code ${code}` : `by ${signal}`
  const fault = new NodeFault(`The process that ran the node ended ${how}.`, 'NodeProcessError')
  fault.stack = `${fault.message}\n${lastWords}`
  return fault
}
