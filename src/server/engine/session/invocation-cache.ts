import { createHash } from 'node:crypto'
import type { GraphNode, NodeOutput } from '#contract/queue/graph.ts'
import type { GraphEngine, InvocationCacheStatus } from '#server/core/queue/engine-ports.ts'

/** Results that are kept (wire 9.2). */
export const MAX_CACHED_RESULTS = 512

/** What a node gave, and how much it holds. */
export interface KeptResult {
  output: NodeOutput
  /** In characters of JSON. */
  size: number
}

/** Results of nodes by what went into them; the one that was not asked for longest leaves first (wire 9.2). */
export class InvocationCache {
  readonly #entries = new Map<string, KeptResult & { images: ReadonlySet<string> }>()
  #isEnabled = true
  #hits = 0
  #misses = 0

  /** Equal for nodes that differ in their ids alone. */
  keyOf({ id: _id, ...inputs }: GraphNode): string {
    return createHash('sha256').update(JSON.stringify(inputs)).digest('base64')
  }

  get(key: string): KeptResult | null {
    if (!this.#isEnabled) return null
    const entry = this.#entries.get(key)
    if (entry === undefined) {
      this.#misses += 1
      return null
    }
    this.#hits += 1
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry
  }

  keep(key: string, node: GraphNode, result: KeptResult): void {
    if (!this.#isEnabled) return
    this.#entries.set(key, { ...result, images: imageNamesIn([node, result.output]) })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > MAX_CACHED_RESULTS && oldest !== undefined) {
      this.#entries.delete(oldest)
    }
  }

  /** The part of it that the rest of the server works with. */
  readonly control: GraphEngine['cache'] = {
    status: (): InvocationCacheStatus => ({
      size: this.#entries.size,
      hits: this.#hits,
      misses: this.#misses,
      enabled: this.#isEnabled,
      max_size: MAX_CACHED_RESULTS,
    }),
    setEnabled: (isEnabled) => {
      this.#isEnabled = isEnabled
    },
    clear: () => {
      this.#entries.clear()
      this.#hits = 0
      this.#misses = 0
    },
    forgetImages: (imageNames) => {
      for (const [key, { images }] of this.#entries) {
        if (imageNames.some((name) => images.has(name))) this.#entries.delete(key)
      }
    },
  }
}

/** Every image that a value names in an `image_name`, at any depth. */
function imageNamesIn(value: unknown): Set<string> {
  const names = new Set<string>()
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    if ('image_name' in next && typeof next.image_name === 'string') names.add(next.image_name)
    for (const inner of Object.values(next)) if (typeof inner === 'object') open.push(inner)
  }
  return names
}
