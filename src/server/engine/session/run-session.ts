import { setImmediate as breathe } from 'node:timers/promises'
import type { Graph, GraphNode, NodeOutput } from '#contract/queue/graph.ts'
import type { NodeFieldValue } from '#contract/queue/queue.ts'
import type {
  EngineEnd,
  EngineJob,
  EngineLibrary,
  EngineListener,
  Invocation,
} from '#server/core/queue/engine-ports.ts'
import { planGraph } from '#server/engine/graph/graph-plan.ts'
import { definitionOf, type NodeCatalog } from '#server/engine/graph/node-catalog.ts'
import { fieldsOf } from '#server/engine/graph/node-fields.ts'
import { readInput } from '#server/engine/graph/read-node.ts'
import { engineFaultOf, NodeFault } from '#server/engine/node-fault.ts'
import type { NodeRunner } from '#server/engine/process/messages.ts'
import { fillInputs, listFor, missingInput } from './fill-inputs.ts'
import type { CachedResult, InvocationCache } from './invocation-cache.ts'
import type { PreparedNode } from './prepared-node.ts'
import { savePicturesOf } from './save-result.ts'
import { sessionRecord } from './session-record.ts'
import { SessionState } from './session-state.ts'

/** Services for runs of graphs. */
export interface SessionParts {
  readonly catalog: NodeCatalog
  readonly nodes: NodeRunner
  readonly cache: InvocationCache
  readonly library: EngineLibrary
  /** Writes text chunks into a PNG. */
  embedTexts(png: Uint8Array, texts: Readonly<Record<string, string>>): Uint8Array
}

/** Runs a graph until it completes, fails or is canceled. */
export async function runSession(
  parts: SessionParts,
  job: EngineJob,
  listener: EngineListener,
  signal: AbortSignal,
): Promise<EngineEnd> {
  const graph = writeFieldValues(parts.catalog, job.graph, job.fieldValues)
  const run = new SessionRun(parts, { ...job, graph }, listener, signal)
  const ended = await run.toEnd()
  return { ...ended, session: sessionRecord(job.sessionId, graph, run.state) }
}

class SessionRun {
  readonly state: SessionState
  readonly #parts: SessionParts
  readonly #listener: EngineListener
  readonly #signal: AbortSignal
  readonly #sizes: SizeBudget
  readonly #save: ReturnType<typeof savePicturesOf>

  constructor(parts: SessionParts, job: EngineJob, listener: EngineListener, signal: AbortSignal) {
    this.#parts = parts
    this.#listener = listener
    this.#signal = signal
    this.state = new SessionState(planGraph(job.graph), parts.catalog)
    this.#sizes = new SizeBudget(job.graph)
    this.#save = savePicturesOf(parts, job)
  }

  async toEnd(): Promise<Pick<EngineEnd, 'status' | 'fault'>> {
    try {
      for (let node = this.state.next(); node !== null; node = this.state.next()) {
        if (this.#signal.aborted) return { status: 'canceled', fault: null }
        await this.#runOne(node)
      }
      return { status: this.#signal.aborted ? 'canceled' : 'completed', fault: null }
    } catch (error) {
      if (this.#signal.aborted) return { status: 'canceled', fault: null }
      return { status: 'failed', fault: engineFaultOf(error) }
    }
  }

  async #runOne(node: PreparedNode): Promise<void> {
    const of = () => ({ invocation: node.node, sourceId: node.sourceId })
    try {
      this.#sizes.take(node)
      fillInputs(node, this.state.results)
      this.#listener.onStarted(of())
      const missing = missingInput(node)
      if (missing !== null) throw missing
      const { output: result, size } = await this.#resultOf(node, of())
      const output = { ...result, output_meta: null }
      this.#signal.throwIfAborted()
      this.#sizes.add(node, size)
      this.state.complete(node, output)
      this.#listener.onComplete(of(), output)
    } catch (error) {
      if (!this.#signal.aborted) {
        const fault = engineFaultOf(error)
        this.state.errors.set(node, `${fault.type}: ${fault.message}`)
        this.#listener.onError(of(), fault)
      }
      throw error
    }
  }

  async #resultOf(prepared: PreparedNode, of: Invocation): Promise<CachedResult> {
    const { node } = prepared
    const { cache, library } = this.#parts
    const control = runControlNode(prepared, this.state.results)
    if (control !== null) return sized(control)
    const key = node.use_cache ? cache.keyOf(node) : null
    const exists = async (name: string) => (await library.image(name)) !== null
    const cached = key === null ? null : await cache.get(key, exists)
    if (cached !== null) return sized(cached.output)
    const result = await this.#run(prepared, of)
    if (key !== null) cache.set(key, node, result)
    return result
  }

  async #run(prepared: PreparedNode, of: Invocation): Promise<CachedResult> {
    const report = (progress: Parameters<EngineListener['onProgress']>[1]) => {
      if (!this.#signal.aborted) this.#listener.onProgress(of, progress)
    }
    const result = await this.#parts.nodes.run(prepared.node, report, this.#signal)
    if (result.kind === 'output') return result
    this.#signal.throwIfAborted()
    const output = await this.#save(prepared, result, this.#signal)
    // Nothing is awaited between this line and the report of completion. Otherwise a cancel could leave an image that
    // is neither reported nor deleted.
    return { output, size: JSON.stringify(output).length }
  }
}

/** Yields to other requests before the next node, because a result that is already known takes no asynchronous time. */
const sized = async (output: NodeOutput): Promise<CachedResult> => {
  await breathe()
  return { output, size: JSON.stringify(output).length }
}

/**
 * Returns the output of `if`, `iterate` and `collect`, which run in the server process because they only pass on
 * values. Returns `null` for every other type.
 */
function runControlNode(
  prepared: PreparedNode,
  results: ReadonlyMap<PreparedNode, NodeOutput>,
): NodeOutput | null {
  const { definition, node, path } = prepared
  const { type } = definition.output
  if (node.type === 'if') {
    return { type, value: (node.condition ? node.true_input : node.false_input) ?? null }
  }
  if (node.type === 'collect') return { type, collection: node.collection }
  if (node.type !== 'iterate') return null
  const index = path.at(-1) ?? 0
  const list = listFor(prepared, results)
  return { type, item: list[index], index, total: list.length }
}

/** Writes batch values into their nodes. An invalid one is written too, and refused when the node gets its inputs. */
function writeFieldValues(
  catalog: NodeCatalog,
  graph: Graph,
  values: readonly NodeFieldValue[],
): Graph {
  if (values.length === 0) return graph
  const nodes = new Map(Object.entries(graph.nodes))
  for (const { node_path, field_name, value } of values) {
    const node = nodes.get(node_path)
    const field = node && fieldsOf(definitionOf(catalog, node.type)).get(field_name)
    if (!node || !field) continue
    const read = readInput(field, value)
    const written = read.faults.all.length > 0 ? value : read.value
    const entries = Object.entries(node).map(([name, old]) => [
      name,
      name === field_name ? written : old,
    ])
    nodes.set(node_path, Object.fromEntries(entries) as GraphNode)
  }
  return { ...graph, nodes: Object.fromEntries(nodes) }
}

/** Size limit of a run's values, in characters of JSON: the session is stored and sent as a whole. */
const MAX_SESSION_LENGTH = 32 * 1024 * 1024

/** Counts the size of a run's values. Without a limit, thirty doublings of a text would exhaust the memory. */
class SizeBudget {
  readonly #nodeSizes: ReadonlyMap<string, number>
  readonly #resultSizes = new Map<PreparedNode, number>()
  #left = MAX_SESSION_LENGTH

  constructor(graph: Graph) {
    this.#nodeSizes = new Map(
      Object.entries(graph.nodes).map(([id, node]) => [id, JSON.stringify(node).length]),
    )
  }

  /**
   * Counts a node and the values of its edges, before they are filled in.
   *
   * @throws {NodeFault} The run exceeds the limit.
   */
  take(node: PreparedNode): void {
    // An iterate outputs its list item by item and does not store it.
    const inputs = node.definition.type === 'iterate' ? [] : node.inputs
    const inputSizes = inputs.map(({ source }) => this.#resultSizes.get(source) ?? 0)
    this.#use([this.#nodeSizes.get(node.sourceId) ?? 0, ...inputSizes].reduce((a, b) => a + b, 0))
  }

  /** @throws {NodeFault} The run exceeds the limit. */
  add(node: PreparedNode, resultSize: number): void {
    this.#resultSizes.set(node, resultSize)
    this.#use(resultSize)
  }

  #use(size: number): void {
    this.#left -= size
    if (this.#left >= 0) return
    throw new NodeFault(
      `The values of this run are more than ${MAX_SESSION_LENGTH / 1024 / 1024} MiB of text.`,
      'TooMuchDataError',
    )
  }
}
