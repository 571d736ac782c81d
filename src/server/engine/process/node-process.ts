import type { ChildProcess } from 'node:child_process'
import type { GraphNode } from '#contract/queue/graph.ts'
import type { EngineModels } from '#server/core/models/model-ports.ts'
import type { EngineLibrary } from '#server/core/queue/engine-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { type ModelAsk, ModelCalls } from '#server/engine/models/model-calls.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { type ChildEnd, killChild, startChild } from '#server/processes/start-child.ts'
import type {
  ChildOptions,
  LibraryQuestion,
  NodeProgress,
  NodeResult,
  NodeRunner,
  ToChild,
  ToServer,
} from './messages.ts'

/** Time for a node to react to a cancel before its process is killed. A cancel must take effect within 500 ms. */
const ABORT_MS = 300

/** Heap limit of JavaScript objects. Pixels are outside of the heap and count toward the resident memory. */
const MAX_HEAP_MIB = 1024

interface Running {
  readonly run: number
  onProgress(progress: NodeProgress): void
  settle(result: NodeResult | Error): void
}

/** The process that runs nodes. It starts on first use, is reused, and is restarted after it dies. */
export class NodeProcess implements NodeRunner {
  readonly #options: ChildOptions
  readonly #library: EngineLibrary
  readonly #models: EngineModels
  readonly #calls = new ModelCalls()
  #child: ChildProcess | null = null
  #running: Running | null = null
  #lastRun = 0
  #isClosed = false

  constructor(options: ChildOptions, library: EngineLibrary, models: EngineModels) {
    this.#options = options
    this.#library = library
    this.#models = models
  }

  /** Process ID, or null if no process is running. Tests use it to end the process. */
  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  /** Starts the process before its first node, because a start takes up to a second. */
  prepare(): void {
    if (!this.#isClosed) this.#child ??= this.#start()
  }

  async run(
    node: GraphNode,
    onProgress: (progress: NodeProgress) => void,
    signal: AbortSignal,
  ): Promise<NodeResult> {
    signal.throwIfAborted()
    this.#child ??= this.#start()
    const child = this.#child
    this.#lastRun += 1
    const run = this.#lastRun
    let deadline: NodeJS.Timeout | undefined
    const abort = () => {
      send(child, { kind: 'abort', run })
      deadline = setTimeout(() => child.kill('SIGKILL'), ABORT_MS)
    }
    signal.addEventListener('abort', abort, { once: true })
    try {
      const result = await new Promise<NodeResult | Error>((settle) => {
        this.#running = { run, onProgress, settle }
        send(child, { kind: 'run', run, node })
      })
      signal.throwIfAborted()
      if (result instanceof Error) throw result
      return result
    } finally {
      this.#running = null
      clearTimeout(deadline)
      signal.removeEventListener('abort', abort)
    }
  }

  /**
   * Sends a request about models to the process, even while it runs a node.
   *
   * @throws {NodeFault} The request failed or the process died.
   * @throws {Refusal} `stopping`, after `close`.
   */
  async call(ask: ModelAsk): Promise<void> {
    if (this.#isClosed) throw new Refusal('stopping')
    this.#child ??= this.#start()
    const child = this.#child
    await this.#calls.make((call) => send(child, { kind: 'call', call, ask }))
  }

  /** Ends the process and its current node. */
  async close(): Promise<void> {
    this.#isClosed = true
    await killChild(this.#child)
  }

  #start(): ChildProcess {
    const child = startChild<ToServer>({
      entry: { name: 'engine-child', beside: import.meta.url },
      options: this.#options,
      maxMemoryBytes: this.#options.maxMemoryBytes,
      maxHeapMib: MAX_HEAP_MIB,
      onMessage: (message) => this.#receive(child, message),
      onEnd: (end) => this.#forget(child, deathOf(end, this.#options)),
    })
    return child
  }

  #forget(child: ChildProcess, reason: Error): void {
    if (this.#child !== child) return
    this.#child = null
    this.#models.report({ what: 'lost' })
    this.#calls.failAll(reason)
    this.#running?.settle(reason)
  }

  #receive(child: ChildProcess, message: ToServer): void {
    // An answer that crosses the kill would settle the run, and the next node would go to the dying process.
    if (child.killed) return
    if (message.kind === 'question') void this.#answer(child, message)
    else if (message.kind === 'model') this.#models.report(message.news)
    else if (message.kind === 'called') this.#settleCall(message)
    else if (message.run !== this.#running?.run) return
    else if (message.kind === 'progress') this.#running.onProgress(message.progress)
    else this.#running.settle(message.kind === 'done' ? message.result : faultOf(message.fault))
  }

  #settleCall({ call, fault }: Extract<ToServer, { kind: 'called' }>): void {
    this.#calls.settle(call, fault === null ? null : faultOf(fault))
  }

  #valueOf(ask: LibraryQuestion): Promise<unknown> {
    if (ask.method === 'model') return this.#models.find(ask.keyOrName)
    return this.#library[ask.method](ask.imageName)
  }

  async #answer(
    child: ChildProcess,
    { question, ask }: Extract<ToServer, { kind: 'question' }>,
  ): Promise<void> {
    try {
      const value = await this.#valueOf(ask)
      send(child, { kind: 'answer', question, value, error: null })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      send(child, { kind: 'answer', question, value: null, error: reason })
    }
  }
}

/** Sends a message unless the process has just died. Its `close` event reports the end. */
const send = (child: ChildProcess, message: ToChild): void => {
  if (child.connected) child.send(message, () => undefined)
}

const faultOf = ({
  type,
  message,
  traceback,
}: {
  type: string
  message: string
  traceback: string
}) => {
  const fault = new NodeFault(message, type)
  fault.stack = traceback
  return fault
}

/** Returns the fault of an item whose node ended the process. */
function deathOf(
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
