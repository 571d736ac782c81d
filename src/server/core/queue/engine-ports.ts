import type { ProgressImage } from '#contract/events.ts'
import type { ImageCategory, ImageRecord } from '#contract/image.ts'
import type { Graph, GraphNode, GraphSession, NodeOutput } from '#contract/queue/graph.ts'
import type { NodeFieldValue } from '#contract/queue/queue.ts'
import type { ValidationFault } from '#contract/refusal.ts'
import type { Thumbnail } from '#server/core/images/picture-ports.ts'

/** One run of a graph, as the engine gets it. */
export interface EngineJob {
  itemId: number
  sessionId: string
  /** As submitted and checked; `fieldValues` are not written into it yet. */
  graph: Graph
  fieldValues: readonly NodeFieldValue[]
  /** Embedded into the pictures that the run saves. */
  workflow: Record<string, unknown> | null
}

/** A node that is run now. */
export interface Invocation {
  /** The prepared node with all its fields, those that are null included. */
  invocation: GraphNode
  /** The id of the node in the submitted graph. */
  sourceId: string
}

/** What went wrong in a node, in the words of the wire: `MissingInputException`, `NodeInputError`, ... */
export interface EngineFault {
  type: string
  message: string
  traceback: string
}

/** What the engine tells while it runs a job, in the order of wire 6. */
export interface EngineListener {
  onStarted(of: Invocation): void
  onProgress(
    of: Invocation,
    progress: { message: string; percentage: number | null; image: ProgressImage | null },
  ): void
  onComplete(of: Invocation, result: NodeOutput): void
  /** The job fails; `GraphEngine.run` ends with this fault. */
  onError(of: Invocation, fault: EngineFault): void
}

/** How a job ended, and what its item shows from then on. */
export interface EngineEnd {
  status: 'completed' | 'failed' | 'canceled'
  session: GraphSession
  /** Why it failed, else null. A node's own fault, or that the process which ran it died. */
  fault: EngineFault | null
}

/** A picture that a node made, before it is an image of the library. */
export interface NewPicture {
  /** A PNG whose text chunks carry metadata, workflow and graph. */
  bytes: Uint8Array
  /** Made of the pixels that `bytes` encode. Absent: it is made of the file. */
  thumbnail?: Thumbnail
  category: ImageCategory
  isIntermediate: boolean
  /** null, `none` and a board that is not there: uncategorized (wire 9.2). */
  boardId: string | null
  sessionId: string
  /** The prepared node's id. */
  nodeId: string
  /** A JSON object, or null. */
  metadata: string | null
  /** The image whose metadata it has (node `metadata_from_image`): its name and date are carried over as well. */
  sourceName?: string | null
}

/** What the engine sees of the library. */
export interface EngineLibrary {
  /** null: no such image. `path` is where its bytes lie. */
  image(imageName: string): Promise<{ record: ImageRecord; path: string } | null>
  /** The image's metadata in InvokeAI's words, whichever generator wrote it; null: none, or no such image. */
  metadata(imageName: string): Promise<Record<string, unknown> | null>
  /**
   * Saves like an upload: durable when it answers.
   *
   * @throws The reason of `signal`, where it was aborted before that. No image stays then.
   */
  save(picture: NewPicture, signal: AbortSignal): Promise<ImageRecord>
}

/** Entries of the invocation cache, and how often they were found (wire 8). */
export interface InvocationCacheStatus {
  size: number
  hits: number
  misses: number
  enabled: boolean
  max_size: number
}

/** Runs graphs, away from the event loop. One job at a time. */
export interface GraphEngine {
  /**
   * A submitted graph with defaults filled in and unknown fields dropped, or what is wrong with it.
   *
   * @param at - Where the graph stands in the request, for the `loc` of faults.
   */
  check(
    graph: unknown,
    at: readonly (string | number)[],
  ): { graph: Graph } | { faults: ValidationFault[] }
  /** Makes ready what takes time to start. Said when a job is on its way; `run` does without. */
  prepare(): void
  /** What is wrong with writing this value into this input; null: nothing (wire 9.3). */
  checkField(graph: Graph, value: Omit<NodeFieldValue, 'value'>): string | null
  /**
   * Runs a job to its end, its failure included. Aborting ends it within half a second, in the middle of a
   * node too. A node that crashes or eats all memory fails its job and nothing else.
   */
  run(job: EngineJob, listener: EngineListener, signal: AbortSignal): Promise<EngineEnd>
  /** A session before it has run. */
  newSession(sessionId: string, graph: Graph): GraphSession
  readonly cache: {
    status(): InvocationCacheStatus
    setEnabled(isEnabled: boolean): void
    clear(): void
    /** Drops what mentions one of these images: they are gone. */
    forgetImages(imageNames: readonly string[]): void
  }
  /** Ends what runs. */
  close(): Promise<void>
}
