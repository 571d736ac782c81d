import { imageOfAnswer } from '#client/images/image-records.ts'
import type { EventData } from '#contract/events.ts'
import type { ImageRecord } from '#contract/image.ts'
import { imageUrls } from '#contract/image-urls.ts'
import type { NodeOutput } from '#contract/queue/graph.ts'
import { boardOfNode } from '#gallery/api/queue/queue-entry.ts'

/** The progress message of a node that saves an image. A node with a cached result does not send it. */
export const SAVING = 'Saving image'

/**
 * Builds a provisional record of a new image from an event, so that the page can show it before it requests the real
 * record. Its time ends with `.999`, so that it sorts before all images of the same second.
 *
 * @param step - The last progress message of the node.
 * @returns `null` if the event does not identify exactly one image, or the image may not be new.
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
  return imageOfAnswer({
    ...imageUrls(image_name),
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
  })
}
