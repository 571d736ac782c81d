import type { EngineFault } from '#server/core/queue/engine-ports.ts'

/** A node cannot give a result. `type` is what the item's `error_type` says (wire 9). */
export class NodeFault extends Error {
  override readonly name = 'NodeFault'
  readonly type: string

  /** @param type - As InvokeAI names it where wire.md has a name, else `ValueError`. */
  constructor(message: string, type = 'ValueError', options?: ErrorOptions) {
    super(message, options)
    this.type = type
  }
}

/** Anything that was thrown, as an item shows it. */
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
