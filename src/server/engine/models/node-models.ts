import { assertLoadable, type EngineModels } from '#server/core/models/model-ports.ts'
import type { NodeContext } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import type { LoadedModels } from './loaded-models.ts'
import { LOAD_FAULT } from './onnx-runtime.ts'

/** Returns `withModel` for a node context. It finds models by the names in graphs. */
export const withModelOf =
  ({ find }: Pick<EngineModels, 'find'>, loaded: LoadedModels): NodeContext['withModel'] =>
  async (keyOrName, work) => {
    const file = await find(keyOrName)
    if (file === null) throw new NodeFault(`There is no model ${keyOrName}.`, UNKNOWN_MODEL)
    try {
      assertLoadable(file.record)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new NodeFault(reason, LOAD_FAULT, { cause })
    }
    return loaded.use(file, work)
  }

/** The `error_type` of an unknown model. */
const UNKNOWN_MODEL = 'UnknownModelException'
