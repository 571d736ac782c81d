import { NodeFault } from '#server/engine/node-fault.ts'
import type { ChildEnd } from '#server/processes/start-child.ts'
import type { ChildOptions } from './messages.ts'

/** The fault of the item whose node ended the process. */
export function deathOf(
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
