import type { EngineFault } from '#server/core/queue/engine-ports.ts'

/** An error of a node. `type` becomes the `error_type` of the queue item. */
export class NodeFault extends Error {
  override readonly name = 'NodeFault'
  readonly type: string

  /** @param type - InvokeAI's name of the error if it is known, otherwise `ValueError`. */
  constructor(message: string, type = 'ValueError', options?: ErrorOptions) {
    super(message, options)
    this.type = type
  }
}

/** Converts any thrown value to the fault of a queue item. */
export function engineFaultOf(error: unknown): EngineFault {
  if (!(error instanceof Error)) {
    return { type: 'Error', message: String(error), traceback: String(error) }
  }
  const type = error instanceof NodeFault ? error.type : error.name
  return {
    type,
    message: error.message,
    traceback: error.stack ?? `${type}: ${error.message}`,
  }
}
