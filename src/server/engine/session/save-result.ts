import type { GraphNode, NodeOutput } from '#contract/queue/graph.ts'
import type { EngineJob, EngineLibrary } from '#server/core/queue/engine-ports.ts'
import { isPlainObject } from '#server/core/validation/read-value.ts'
import type { NodeResult } from '#server/engine/process/messages.ts'
import type { PreparedNode } from './prepared-node.ts'

type MadePicture = Extract<NodeResult, { kind: 'picture' }>

interface Parts {
  readonly library: EngineLibrary
  embedTexts(png: Uint8Array, texts: Readonly<Record<string, string>>): Uint8Array
}

/**
 * Returns a function that saves a picture of a job. After an abort it throws the reason of `signal` at once. A save
 * that is still active then leaves nothing in the library.
 */
export const savePicturesOf = (
  { library, embedTexts }: Parts,
  { sessionId, workflow, graph }: EngineJob,
) => {
  let jobTexts: Record<string, string> | undefined
  const textsOfJob = () => {
    jobTexts ??= {
      ...(workflow !== null && { invokeai_workflow: jsonText(workflow) }),
      invokeai_graph: jsonText(graph),
    }
    return jobTexts
  }
  return async (
    prepared: Pick<PreparedNode, 'node' | 'definition' | 'inputs'>,
    picture: MadePicture,
    signal: AbortSignal,
  ): Promise<NodeOutput> => {
    const { node, definition } = prepared
    const { saving, output } = definition
    const metadata = saving?.hasBoard && isPlainObject(node.metadata) ? node.metadata : null
    const bytes = embedTexts(picture.png, {
      ...(metadata !== null && { invokeai_metadata: jsonText(metadata) }),
      ...textsOfJob(),
    })
    const made = {
      bytes,
      thumbnail: picture.thumbnail,
      category: saving?.category ?? 'general',
      isIntermediate: node.is_intermediate,
      boardId: saving?.hasBoard ? boardOf(node) : null,
      sessionId,
      nodeId: node.id,
      metadata: metadata && JSON.stringify(metadata),
      sourceName: sourceNameOf(prepared),
    }
    const { image_name } = await untilAborted(library.save(made, signal), signal)
    const { width, height } = picture
    return { type: output.type, image: { image_name }, width, height }
  }
}

/** Serializes JSON and escapes U+0080 to U+00FF. Half of all programs read Latin-1 text chunks of a PNG as UTF-8. */
const jsonText = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[\u0080-\u00ff]/g,
    (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`,
  )

/** Returns the image whose metadata the node received unchanged, or null. */
const sourceNameOf = ({ inputs }: Pick<PreparedNode, 'inputs'>): string | null => {
  const source = inputs.find(({ field }) => field === 'metadata')?.source
  if (source?.definition.type !== 'metadata_from_image') return null
  const { image } = source.node
  return isPlainObject(image) && typeof image.image_name === 'string' ? image.image_name : null
}

const boardOf = ({ board }: GraphNode): string | null =>
  isPlainObject(board) && typeof board.board_id === 'string' ? board.board_id : null

const untilAborted = <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
