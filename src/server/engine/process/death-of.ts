import { NodeFault } from '#server/engine/node-fault.ts'
import { type ChildOptions, OUT_OF_MEMORY_MARK } from './messages.ts'

/** V8's own words when what it may keep is full. */
const HEAP_IS_FULL = /heap limit|JavaScript heap out of memory/

/** Why the process that ran a node is gone, for the item that fails by it. */
export function deathOf(
  code: number | null,
  signal: string | null,
  lastWords: string,
  { maxMemoryBytes }: ChildOptions,
): NodeFault {
  if (lastWords.includes(OUT_OF_MEMORY_MARK) || HEAP_IS_FULL.test(lastWords)) {
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
