import type { NormalMetadata } from '#contract/metadata.ts'
import type { EmbeddedMetadata, JsonText, NewImage, View } from '#server/core/images/image-ports.ts'
import type { Records } from '#server/core/record-ports.ts'

const nothingEmbedded: EmbeddedMetadata = {
  invokeai: null,
  normal: null,
  workflow: null,
  graph: null,
}

/** Returns an image to add, with defaults for all fields that a test does not set. */
export const newImage = (
  imageName: string,
  {
    metadata = {},
    ...own
  }: Partial<Omit<NewImage, 'metadata'>> & { metadata?: Partial<EmbeddedMetadata> } = {},
): NewImage => ({
  image_name: imageName,
  board_id: null,
  image_origin: 'external',
  image_category: 'user',
  is_intermediate: false,
  session_id: null,
  node_id: null,
  width: 640,
  height: 480,
  file_name: null,
  file_size: 1000,
  media_type: 'image/png',
  content_hash: '5'.repeat(64),
  thumbhash: new Uint8Array([1, 2, 3]),
  fingerprint: null,
  is_animated: false,
  taken_at: null,
  upload_id: null,
  ...own,
  metadata: { ...nothingEmbedded, ...metadata },
})

/** Returns metadata with a prompt, as InvokeAI embeds it. */
export const prompted = (positive_prompt: string) => ({
  metadata: { invokeai: JSON.stringify({ positive_prompt }) },
})

/** Returns metadata of a generator with these fields. */
export const normalOf = (fields: Partial<NormalMetadata>): NormalMetadata => ({
  ...{ generator: null, prompt: null, negative_prompt: null, model: null, seed: null },
  ...{ steps: null, cfg_scale: null, sampler: null, scheduler: null, loras: [], width: null },
  ...{ height: null, camera: null, lens: null, exposure: null, raw: {} },
  ...fields,
})

/** Adds images one after the other, so that the last one is the newest. */
export const addAll = async ({ images }: Records, ...added: readonly (string | NewImage)[]) => {
  for (const image of added) await images.add(typeof image === 'string' ? newImage(image) : image)
}

/** Opens a library with an empty board. */
export const openWithBoard = async (open: () => Promise<Records>) => {
  const records = await open()
  return { records, board_id: await createBoard(records, 'Board') }
}

/** Adds images to a board, the newest last. */
export const addOnBoard = (records: Records, board_id: string, ...names: readonly string[]) =>
  addAll(records, ...names.map((name) => newImage(name, { board_id })))

/** @returns Its id. */
export const createBoard = async ({ boards }: Records, board_name: string): Promise<string> =>
  (await boards.create({ board_name, board_visibility: 'shared' })).board_id

/** A view of all boards and both kinds of images, newest first. */
export const everything: View = { orderBy: 'created_at', orderDir: 'DESC', starredFirst: false }

/** Returns the names of a view. */
export const namesIn = async ({ images }: Records, view: Partial<View> = {}): Promise<string[]> =>
  listOf((await images.names({ ...everything, ...view })).image_names)

/** Parses a JSON list. */
export const listOf = async (text: JsonText | null): Promise<string[]> =>
  JSON.parse((await jsonOf(text)) ?? 'null')

/** Returns the names of a board, newest first. */
export const namesOn = (records: Records, boardId: string) => namesIn(records, { boardId })

/** Reads all pieces of a text. */
export const piecesOf = (text: JsonText | null) => Array.fromAsync(text?.pieces ?? [])

/** Reads a whole text. null: there is no text. */
export const jsonOf = async (text: JsonText | null): Promise<string | null> =>
  text && Buffer.concat(await piecesOf(text)).toString('utf8')
