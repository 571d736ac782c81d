import { createHash } from 'node:crypto'
import type { GraphNode, NodeOutput } from '#contract/queue/graph.ts'
import type { InvocationCacheStatus } from '#contract/queue/queue-cache-operations.ts'
import type { GraphEngine } from '#server/core/queue/engine-ports.ts'

export const MAX_CACHED_RESULTS = 512

export interface CachedResult {
  output: NodeOutput
  /** Length in characters of JSON. */
  size: number
}

/** An LRU cache of node results, keyed by the inputs. */
export class InvocationCache {
  readonly #entries = new Map<string, CachedResult & { images: ReadonlySet<string> }>()
  #isEnabled = true
  #hits = 0
  #misses = 0

  /** Returns a key that ignores the node id. */
  keyOf({ id: _id, ...inputs }: GraphNode): string {
    return createHash('sha256').update(JSON.stringify(inputs)).digest('base64')
  }

  get(key: string): CachedResult | null {
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

  set(key: string, node: GraphNode, result: CachedResult): void {
    if (!this.#isEnabled) return
    this.#entries.set(key, { ...result, images: imageNamesIn([node, result.output]) })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > MAX_CACHED_RESULTS && oldest !== undefined) {
      this.#entries.delete(oldest)
    }
  }

  /** The operations that the rest of the server may call. */
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

/** Returns all values of `image_name` keys in a value, at any depth. */
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
