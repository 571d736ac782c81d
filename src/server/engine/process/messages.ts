import type { ProgressImage } from '#contract/events.ts'
import type { GraphNode, NodeOutput } from '#contract/queue/graph.ts'
import type { Thumbnail } from '#server/core/images/picture-ports.ts'
import type { ModelNews } from '#server/core/models/model-ports.ts'
import type { EngineFault } from '#server/core/queue/engine-ports.ts'
import type { ModelAsk } from '#server/engine/models/model-calls.ts'

/** What the process that runs nodes is started with. */
export interface ChildOptions {
  maxPixels: number
  appVersion: string
  /** Resident memory at which it ends itself, in bytes. */
  maxMemoryBytes: number
  /** Of it, what models may take. */
  modelMemoryBytes: number
}

/** What a node asks of the library and of the models, which the server's own process knows. */
export type LibraryQuestion =
  | { method: 'image' | 'metadata'; imageName: string }
  | { method: 'model'; keyOrName: string }

/** From the server to the process that runs nodes. */
export type ToChild =
  | { kind: 'run'; run: number; node: GraphNode }
  | { kind: 'abort'; run: number }
  | { kind: 'call'; call: number; ask: ModelAsk }
  | { kind: 'answer'; question: number; value: unknown; error: string | null }

/** From the process that runs nodes to the server. */
export type ToServer =
  | { kind: 'question'; question: number; ask: LibraryQuestion }
  | { kind: 'progress'; run: number; progress: NodeProgress }
  | { kind: 'done'; run: number; result: NodeResult }
  | { kind: 'failed'; run: number; fault: EngineFault }
  | { kind: 'called'; call: number; fault: EngineFault | null }
  | { kind: 'model'; news: ModelNews }

/** How far a node is, as it tells it. */
export interface NodeProgress {
  message: string
  /** From 0 to 1; null: it cannot be known. */
  percentage: number | null
  image: ProgressImage | null
}

/** What a node gave. A picture is still to be saved. */
export type NodeResult =
  /** `size` in characters of JSON. */
  | { kind: 'output'; output: NodeOutput; size: number }
  | { kind: 'picture'; png: Uint8Array; thumbnail: Thumbnail; width: number; height: number }

/** Runs single nodes, away from this process. */
export interface NodeRunner {
  /**
   * Runs a node whose inputs are all there. One at a time.
   *
   * @throws {NodeFault} It gave no result, or what ran it died.
   * @throws The reason of `signal`, once it is aborted and the node does not run any more.
   */
  run(
    node: GraphNode,
    onProgress: (progress: NodeProgress) => void,
    signal: AbortSignal,
  ): Promise<NodeResult>
}
