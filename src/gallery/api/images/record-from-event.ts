import type { EventData } from '#contract/events.ts'
import { type ImageRecord, imagePaths } from '#contract/image.ts'
import { pathOf } from '#contract/operation.ts'
import type { NodeOutput } from '#contract/queue/graph.ts'
import { boardOfNode } from '#gallery/api/queue/queue-entry.ts'

/** What a node says while it saves an image (wire 6). One that took its result out of a cache does not. */
export const SAVING = 'Saving image'

/**
 * The record of an image that a node has just saved, as far as the event tells it: enough to show it
 * before the server has been asked. It stands before what is older, whatever part of a second it came in.
 *
 * @param step - What the node said last.
 * @returns `null` where the event does not tell which one image was made, or whether it is new.
 */
export function recordFromEvent(
  { invocation, result, session_id, timestamp }: EventData<'invocation_complete'>,
  step: string | null,
): ImageRecord | null {
  const { image, width, height }: NodeOutput = result
  const isNamed = typeof image === 'object' && image !== null && 'image_name' in image
  if (step !== SAVING || !isNamed) return null
  if (typeof width !== 'number' || typeof height !== 'number') return null
  const image_name = String(image.image_name)
  const savedAt = `${new Date(timestamp * 1000).toISOString().slice(0, 19).replace('T', ' ')}.999`
  const boardId = boardOfNode(invocation)
  return {
    image_name,
    image_url: pathOf({ path: imagePaths.full }, { image_name }).slice(1),
    thumbnail_url: pathOf({ path: imagePaths.thumbnail }, { image_name }).slice(1),
    image_origin: 'internal',
    image_category: 'general',
    width,
    height,
    created_at: savedAt,
    updated_at: savedAt,
    deleted_at: null,
    is_intermediate: false,
    session_id,
    node_id: invocation.id,
    starred: false,
    has_workflow: false,
    image_subfolder: '',
    board_id: boardId === 'none' ? null : boardId,
    file_name: null,
    file_size: null,
    media_type: null,
    content_hash: null,
    thumbhash: null,
    taken_at: null,
    prompt_start: null,
  }
}
