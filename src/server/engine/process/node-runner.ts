import type { ProgressImage } from '#contract/events.ts'
import type { GraphNode, NodeOutput } from '#contract/queue/graph.ts'
import type { Thumbnail } from '#server/core/images/picture-ports.ts'

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
