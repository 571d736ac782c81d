import { NodeFault } from '#server/engine/node-fault.ts'

/** Far more than a run takes, and little enough to be made at once. */
const MAX_LIST_LENGTH = 1_000_000

/**
 * A list of what `at` gives for each index.
 *
 * @throws {NodeFault} It would be too long, or hold what is not kept exactly.
 */
export function filledList(length: number, at: (index: number) => number): number[] {
  if (length > MAX_LIST_LENGTH) {
    throw new NodeFault(`The list would have ${length} items; at most ${MAX_LIST_LENGTH} are made.`)
  }
  return Array.from({ length: Math.max(0, length) }, (_none, index) => at(index))
}
