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

  /**
   * Returns a result whose images all exist. An image may have been deleted or trashed since, by any process.
   *
   * @param exists - Looks up an image. It does not exist if that fails.
   */
  async get(
    key: string,
    exists: (imageName: string) => Promise<boolean>,
  ): Promise<CachedResult | null> {
    if (!this.#isEnabled) return null
    const entry = this.#entries.get(key)
    if (entry !== undefined && (await areAll(entry.images, exists))) {
      this.#hits += 1
      this.#entries.delete(key)
      this.#entries.set(key, entry)
      return entry
    }
    this.#misses += 1
    this.#entries.delete(key)
    return null
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
  }
}

const areAll = async (
  imageNames: Iterable<string>,
  exists: (imageName: string) => Promise<boolean>,
): Promise<boolean> => {
  for (const name of imageNames) if (!(await exists(name).catch(() => false))) return false
  return true
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
