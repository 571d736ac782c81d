import type { ProgressImage } from '#contract/events.ts'
import type { GraphNode, NodeOutput } from '#contract/queue/graph.ts'
import type { Thumbnail } from '#server/core/images/picture-ports.ts'
import type { EngineModels, ModelFile } from '#server/core/models/model-ports.ts'
import type { EngineLibrary } from '#server/core/queue/engine-ports.ts'

/** Start options of the node process. */
export interface ChildOptions {
  maxPixels: number
  appVersion: string
  /** The process ends itself at this resident memory, in bytes. */
  maxMemoryBytes: number
  /** Part of `maxMemoryBytes` for models. */
  modelMemoryBytes: number
}

export interface NodeMethods {
  run(node: GraphNode): NodeResult
  loadModel(model: ModelFile): void
  emptyModels(): void
}

/** Methods of the server that the node process calls. */
export type ServerMethods = Pick<EngineLibrary, 'image' | 'openFile' | 'metadata'> & EngineModels

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
