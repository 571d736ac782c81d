import type { ProgressImage } from '#contract/events.ts'
import type { ImageCategory, ImageRecord } from '#contract/image.ts'
import type { Graph, GraphNode, GraphSession, NodeOutput } from '#contract/queue/graph.ts'
import type { NodeFieldValue } from '#contract/queue/queue.ts'
import type { InvocationCacheStatus } from '#contract/queue/queue-cache-operations.ts'
import type { ValidationFault } from '#contract/refusal-bodies.ts'
import type { Thumbnail } from '#server/core/images/picture-ports.ts'

/** One run of a graph. */
export interface EngineJob {
  itemId: number
  sessionId: string
  /** The checked graph as submitted, without `fieldValues`. */
  graph: Graph
  fieldValues: readonly NodeFieldValue[]
  /** Embedded into the images that the run saves. */
  workflow: Record<string, unknown> | null
}

/** A node while it runs. */
export interface Invocation {
  /** The prepared node with all its fields, including null ones. */
  invocation: GraphNode
  /** ID of the node in the submitted graph. */
  sourceId: string
}

/** An error of a node, with InvokeAI's type names: `MissingInputException`, `NodeInputError`, ... */
export interface EngineFault {
  type: string
  message: string
  traceback: string
}

/** Converts any thrown value to a fault. */
export function faultOf(error: unknown): EngineFault {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  return { type: name, message, traceback: stack ?? `${name}: ${message}` }
}

/** Callbacks of a running job, in the order of InvokeAI's events. */
export interface EngineListener {
  onStarted(of: Invocation): void
  onProgress(
    of: Invocation,
    progress: { message: string; percentage: number | null; image: ProgressImage | null },
  ): void
  onComplete(of: Invocation, result: NodeOutput): void
  /** The job failed; `GraphEngine.run` then returns this error. */
  onError(of: Invocation, fault: EngineFault): void
}

/** Result of a job, stored in its queue item. */
export interface EngineEnd {
  status: 'completed' | 'failed' | 'canceled'
  session: GraphSession
  /** Error of a failed job, otherwise null: the error of a node, or the crash of the engine process. */
  fault: EngineFault | null
}

/** An image made by a node and not yet saved to the library. */
export interface NewPicture {
  /** A PNG whose text chunks carry metadata, workflow and graph. */
  bytes: Uint8Array
  /** Made from the pixels that `bytes` encode. Absent: it is made from the file. */
  thumbnail?: Thumbnail
  category: ImageCategory
  isIntermediate: boolean
  /** null, `none` or an unknown board: uncategorized, as in InvokeAI. */
  boardId: string | null
  sessionId: string
  /** ID of the prepared node. */
  nodeId: string
  /** A JSON object, or null. */
  metadata: string | null
  /** The image whose metadata was copied (node `metadata_from_image`). Its file name and date are copied too. */
  sourceName?: string | null
}

/** A change that a user makes to the memory of the engines of all processes. */
export type EngineChange = 'clear_cache' | 'enable_cache' | 'disable_cache' | 'empty_models'

export interface EngineLibrary {
  /** Returns null if the image does not exist. */
  image(imageName: string): Promise<ImageRecord | null>
  /** Returns the path of the file of an image, for the node that runs; null if it is missing. */
  openFile(imageName: string): Promise<string | null>
  /** Called when a node has ended: it no longer reads the files. */
  closeFiles(): Promise<void>
  /** Returns metadata of any generator with InvokeAI's field names. Null if the image or its metadata is missing. */
  metadata(imageName: string): Promise<Record<string, unknown> | null>
  /**
   * Saves an image like an upload: it is durable when the promise resolves.
   *
   * @throws The reason of `signal` if it was aborted before that. Then no image remains.
   */
  save(picture: NewPicture, signal: AbortSignal): Promise<ImageRecord>
}

/** Runs graphs outside of the event loop, one job at a time. */
export interface GraphEngine {
  /**
   * Checks a submitted graph. Returns it with defaults filled in and unknown fields removed, or its faults.
   *
   * @param at - Path of the graph in the request, for the `loc` of faults.
   */
  check(
    graph: unknown,
    at: readonly (string | number)[],
  ): { graph: Graph } | { faults: ValidationFault[] }
  /** Starts slow components early, because a job will follow soon. Optional before `run`. */
  prepare(): void
  /** Checks that this value can be written to this input. Returns the error, or null. */
  checkField(graph: Graph, value: Omit<NodeFieldValue, 'value'>): string | null
  /**
   * Runs a job to its end, including failure. Aborting ends it within half a second, even during a node. A node that
   * crashes or exhausts the memory fails only its own job.
   */
  run(job: EngineJob, listener: EngineListener, signal: AbortSignal): Promise<EngineEnd>
  /** Creates the session of an item that has not run. */
  newSession(sessionId: string, graph: Graph): GraphSession
  readonly cache: {
    status(): InvocationCacheStatus
    setEnabled(isEnabled: boolean): void
    clear(): void
  }
  /** Stops the running job. */
  close(): Promise<void>
}
