import { Board, BoardChanges, BoardsPage, DeleteBoardResult } from '#contract/board.ts'
import {
  DeleteImagesResult,
  ImageChanges,
  ImageNamesResult,
  ImageRecord,
  ImagesPage,
} from '#contract/image.ts'
import { NormalMetadata } from '#contract/metadata.ts'
import {
  Edge,
  EdgeEnd,
  Graph,
  GraphNode,
  GraphSession,
  ImageField,
  NodeOutput,
} from '#contract/queue/graph.ts'
import {
  Batch,
  BatchDatum,
  BatchStatus,
  DestinationCounts,
  EnqueueBatchResult,
  NodeFieldValue,
  ProcessorStatus,
  QueueItem,
  QueueItemSummary,
  QueueItemWithoutNulls,
  QueueStatus,
  SessionQueueStatus,
  Workflow,
} from '#contract/queue/queue.ts'
import { RefusalBody, ValidationBody, ValidationFault } from '#contract/refusal.ts'
import { RestoreResult, TrashPage, TrashResult } from '#contract/trash-operations.ts'
import { BatchUploadLine } from '#contract/upload-operations.ts'

/** Records that stand in the description once, under the names that a generated client gives them. */
const named = {
  Batch,
  BatchDatum,
  BatchStatus,
  BatchUploadLine,
  Board,
  BoardChanges,
  BoardsPage,
  DeleteBoardResult,
  DeleteImagesResult,
  DestinationCounts,
  Edge,
  EdgeEnd,
  EnqueueBatchResult,
  Graph,
  GraphNode,
  GraphSession,
  ImageChanges,
  ImageField,
  ImageNamesResult,
  ImageRecord,
  ImagesPage,
  NodeFieldValue,
  NodeOutput,
  NormalMetadata,
  ProcessorStatus,
  QueueItem,
  QueueItemSummary,
  QueueItemWithoutNulls,
  QueueStatus,
  RefusalBody,
  RestoreResult,
  SessionQueueStatus,
  TrashPage,
  TrashResult,
  ValidationBody,
  ValidationFault,
  Workflow,
}

/** The plugin writes a record of anything its own way. */
const asWritten = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(asWritten)
  if (typeof node !== 'object' || node === null) return node
  const { patternProperties, ...rest } = node as { patternProperties?: object }
  const written = Object.entries(rest).map(([key, value]) => [key, asWritten(value)])
  const [anything] = Object.values(patternProperties ?? {})
  return {
    ...Object.fromEntries(written),
    ...(anything !== undefined && { additionalProperties: asWritten(anything) }),
  }
}

const nameOf = new Map(
  Object.entries(named).map(([name, schema]) => [JSON.stringify(asWritten(schema)), name]),
)

/** Puts references in the place of named schemas, from the outside in. */
const withReferences = (node: unknown): unknown => {
  const name = nameOf.get(JSON.stringify(node))
  return name === undefined ? insideOf(node) : { $ref: `#/components/schemas/${name}` }
}

const insideOf = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withReferences)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withReferences(value)]),
  )
}

/** A schema as it stands among the components, with references to the others. */
export const asComponent = (schema: unknown): unknown => insideOf(asWritten(schema))

/** Moves the contract's records in an OpenAPI document to `components`. */
export function hoistSchemas(document: object): object {
  const schemas = Object.fromEntries(
    Object.entries(named).map(([name, schema]) => [name, asComponent(schema)]),
  )
  const hoisted = insideOf(document) as { components?: object }
  return { ...hoisted, components: { ...hoisted.components, schemas } }
}
