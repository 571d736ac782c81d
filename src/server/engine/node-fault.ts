import { type EngineFault, faultOf } from '#server/core/queue/engine-ports.ts'

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
export const engineFaultOf = (error: unknown): EngineFault => ({
  ...faultOf(error),
  ...(error instanceof NodeFault && { type: error.type }),
})
