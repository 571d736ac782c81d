import type { ImageRecord } from '#contract/image.ts'

/** The fields that only our server has (wire 2.1). */
type ExtensionField =
  | 'file_name'
  | 'file_size'
  | 'media_type'
  | 'content_hash'
  | 'thumbhash'
  | 'taken_at'
  | 'prompt_start'

/** An image as a server sends it: InvokeAI lacks the extensions. */
export type ImageAnswer = Omit<ImageRecord, ExtensionField> &
  Partial<Pick<ImageRecord, ExtensionField>>

const unknownFields: Pick<ImageRecord, ExtensionField> = {
  file_name: null,
  file_size: null,
  media_type: null,
  content_hash: null,
  thumbhash: null,
  taken_at: null,
  prompt_start: null,
}

/** An image's record with every field: null for what the server does not know. */
export const imageOfAnswer = (answer: ImageAnswer): ImageRecord => ({ ...unknownFields, ...answer })
