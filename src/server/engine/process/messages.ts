import type { ProgressImage } from '#contract/events.ts'
import type { GraphNode, NodeOutput } from '#contract/queue/graph.ts'
import type { Thumbnail } from '#server/core/images/picture-ports.ts'
import type { ModelNews } from '#server/core/models/model-ports.ts'
import type { EngineFault } from '#server/core/queue/engine-ports.ts'
import type { ModelAsk } from '#server/engine/models/model-calls.ts'

/** Start options of the node process. */
export interface ChildOptions {
  maxPixels: number
  appVersion: string
  /** The process ends itself at this resident memory, in bytes. */
  maxMemoryBytes: number
  /** Part of `maxMemoryBytes` for models. */
  modelMemoryBytes: number
}

/** A query of a node for an image or a model, which the server process answers. */
export type LibraryQuestion =
  | { method: 'image' | 'metadata'; imageName: string }
  | { method: 'model'; keyOrName: string }

/** A message from the server to the node process. */
export type ToChild =
  | { kind: 'run'; run: number; node: GraphNode }
  | { kind: 'abort'; run: number }
  | { kind: 'call'; call: number; ask: ModelAsk }
  | { kind: 'answer'; question: number; value: unknown; error: string | null }

/** A message from the node process to the server. */
export type ToServer =
  | { kind: 'question'; question: number; ask: LibraryQuestion }
  | { kind: 'progress'; run: number; progress: NodeProgress }
  | { kind: 'done'; run: number; result: NodeResult }
  | { kind: 'failed'; run: number; fault: EngineFault }
  | { kind: 'called'; call: number; fault: EngineFault | null }
  | { kind: 'model'; news: ModelNews }

/** Progress of a node. */
export interface NodeProgress {
  message: string
  /** From 0 to 1, or null if unknown. */
  percentage: number | null
  image: ProgressImage | null
}

/** Result of a node. A picture has not been saved yet. */
export type NodeResult =
  /** `size` in characters of JSON. */
  | { kind: 'output'; output: NodeOutput; size: number }
  | { kind: 'picture'; png: Uint8Array; thumbnail: Thumbnail; width: number; height: number }

/** Runs single nodes outside of this process. */
export interface NodeRunner {
  /**
   * Runs a node with complete inputs. Runs must not overlap.
   *
   * @throws {NodeFault} The node failed, or its process died.
   * @throws The reason of `signal` after an abort, when the node no longer runs.
   */
  run(
    node: GraphNode,
    onProgress: (progress: NodeProgress) => void,
    signal: AbortSignal,
  ): Promise<NodeResult>
}
