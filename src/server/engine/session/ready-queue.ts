import { comparePaths } from './compare-paths.ts'
import type { PreparedNode } from './prepared-node.ts'

/** Nodes that can run: all of one type, then all of the next, each in the order of the iterations (wire 9.2). */
export class ReadyQueue {
  readonly #byType = new Map<string, PreparedNode[]>()
  #activeType = ''

  add(node: PreparedNode): void {
    if (node.isQueued) return
    node.isQueued = true
    const queue = this.#byType.get(node.definition.type) ?? []
    this.#byType.set(node.definition.type, queue)
    let place = queue.length
    while (place > 0 && comparePaths(queue[place - 1]?.path ?? [], node.path) > 0) place -= 1
    queue.splice(place, 0, node)
  }

  take(): PreparedNode | null {
    const node = this.#takeOne()
    if (node) node.isQueued = false
    return node
  }

  #takeOne(): PreparedNode | null {
    const active = this.#byType.get(this.#activeType)?.shift()
    if (active) return active
    const next = [...this.#byType].filter(([, queue]) => queue.length > 0).map(([type]) => type)
    this.#activeType = next.sort()[0] ?? ''
    return this.#byType.get(this.#activeType)?.shift() ?? null
  }
}
