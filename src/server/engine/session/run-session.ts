import { setImmediate as breathe } from 'node:timers/promises'
import type { NodeOutput } from '#contract/graph.ts'
import type {
  EngineEnd,
  EngineJob,
  EngineLibrary,
  EngineListener,
  Invocation,
} from '#server/core/engine-ports.ts'
import { planGraph } from '#server/engine/graph/graph-plan.ts'
import type { NodeCatalog } from '#server/engine/graph/node-catalog.ts'
import { engineFaultOf } from '#server/engine/node-fault.ts'
import type { NodeRunner } from '#server/engine/process/node-runner.ts'
import { fillInputs, missingInput } from './fill-inputs.ts'
import type { InvocationCache, KeptResult } from './invocation-cache.ts'
import type { PreparedNode } from './prepared-node.ts'
import { runControlNode } from './run-control-node.ts'
import { SaveResult } from './save-result.ts'
import { sessionRecord } from './session-record.ts'
import { SessionState } from './session-state.ts'
import { SizeBudget } from './size-budget.ts'
import { writeFieldValues } from './write-field-values.ts'

/** What runs of graphs work with. */
export interface SessionParts {
  readonly catalog: NodeCatalog
  readonly nodes: NodeRunner
  readonly cache: InvocationCache
  readonly library: EngineLibrary
  /** Puts text chunks into a PNG. */
  embedTexts(png: Uint8Array, texts: Readonly<Record<string, string>>): Uint8Array
}

/** Runs a graph to its end, its failure or its cancelling (wire 9.2). */
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
  readonly #saving: SaveResult

  constructor(parts: SessionParts, job: EngineJob, listener: EngineListener, signal: AbortSignal) {
    this.#parts = parts
    this.#listener = listener
    this.#signal = signal
    this.state = new SessionState(planGraph(job.graph), parts.catalog)
    this.#sizes = new SizeBudget(job.graph)
    this.#saving = new SaveResult(parts, job)
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
        this.state.fail(node, `${fault.type}: ${fault.message}`)
        this.#listener.onError(of(), fault)
      }
      throw error
    }
  }

  async #resultOf(prepared: PreparedNode, of: Invocation): Promise<KeptResult> {
    const { node } = prepared
    const { cache } = this.#parts
    const control = runControlNode(prepared, this.state.results)
    if (control !== null) return sized(control)
    const key = node.use_cache ? cache.keyOf(node) : null
    const kept = key === null ? null : cache.get(key)
    if (kept !== null) return sized(kept.output)
    const result = await this.#run(prepared, of)
    if (key !== null) cache.keep(key, node, result)
    return result
  }

  async #run(prepared: PreparedNode, of: Invocation): Promise<KeptResult> {
    const tell = (progress: Parameters<EngineListener['onProgress']>[1]) => {
      if (!this.#signal.aborted) this.#listener.onProgress(of, progress)
    }
    const result = await this.#parts.nodes.run(prepared.node, tell, this.#signal)
    if (result.kind === 'output') return result
    this.#signal.throwIfAborted()
    const output = await this.#saving.save(prepared, result, this.#signal)
    // From here to where its completion is told nothing is waited for: a cancel meets an image that is either
    // told of or taken out again.
    return { output, size: JSON.stringify(output).length }
  }
}

/** Lets other requests be answered before the next node: what is here already takes no time of its own. */
const sized = async (output: NodeOutput): Promise<KeptResult> => {
  await breathe()
  return { output, size: JSON.stringify(output).length }
}
