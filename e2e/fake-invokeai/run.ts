import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { drawPicture } from '#demo/draw-picture.ts'
import { type FakeNode, makesMask, savesImage } from './graph.ts'
import type { Library, StoredImage } from './library.ts'
import { pixelsOf } from './pixels.ts'
import type { Queue } from './queue.ts'
import { isFinal, type StoredItem } from './queue-item.ts'
import { storeUpload } from './store-upload.ts'

/** Progress of a node. */
export interface Progress {
  message?: string
  percentage?: number | null
  /** True to include a preview image. */
  withImage?: boolean
}

/** Execution of one item, with events in InvokeAI's order. It emits nothing after the item has ended. */
export class Run {
  readonly item: StoredItem
  readonly #queue: Queue
  readonly #library: Library
  #node: FakeNode | null = null

  constructor(item: StoredItem, queue: Queue, library: Library) {
    this.item = item
    this.#queue = queue
    this.#library = library
  }

  get isOver(): boolean {
    return isFinal(this.item.status)
  }

  /** True if an edge feeds this input of a node. */
  isFed(nodeId: string, field: string): boolean {
    return this.#edgeInto(nodeId, field) !== undefined
  }

  /** Starts a node by its id in the submitted graph. */
  start(nodeId: string): void {
    if (this.isOver) return
    const { session } = this.item
    const source = session.graph.nodes[nodeId]
    if (source === undefined) throw new Error(`The graph has no node ${nodeId}.`)
    const node: FakeNode = { ...source, id: randomUUID() }
    for (const field of ['image', 'metadata']) {
      const edge = this.#edgeInto(nodeId, field)
      if (edge) node[field] = this.#resultOf(edge.source.node_id)?.[field] ?? null
    }
    session.execution_graph.nodes[node.id] = node
    session.prepared_source_mapping[node.id] = nodeId
    session.source_prepared_mapping[nodeId] = [node.id]
    this.#node = node
    this.#tell('invocation_started', {})
  }

  /** Emits the progress of a node. The preview is a small JPEG with the size of the final image, as in InvokeAI. */
  async progress({ message = 'Denoising', percentage = null, withImage = false }: Progress) {
    const image = withImage ? await previewOf(this.#sizePx()) : null
    this.#tell('invocation_progress', { message, percentage, image, device: null })
  }

  /** Completes a node. The result is an integer if the node neither saves nor reads an image. */
  complete(result = this.#read()): void {
    if (this.isOver || this.#node === null) return
    const { id } = this.#node
    const sourceId = this.#sourceId()
    const { session } = this.item
    session.results[id] = result
    session.executed.push(sourceId, id)
    session.executed_history.push(sourceId)
    this.#tell('invocation_complete', { result: { output_meta: null, ...result } })
    this.#node = null
  }

  /**
   * Saves an image to the node's board and completes the node. A node that reads an image keeps its pixels.
   *
   * @param options - `beforeEvent` runs when lists include the image and no event has named it yet: InvokeAI
   * commits the row first.
   */
  async save({
    isNoted = false,
    beforeEvent = async () => {},
  }: {
    isNoted?: boolean
    beforeEvent?: () => Promise<void>
  } = {}): Promise<StoredImage | null> {
    const node = this.#node
    if (this.isOver || node === null || !savesImage(node)) return null
    if (isNoted) await this.progress({ percentage: 0.5, withImage: true })
    await this.progress({ message: 'Saving image' })
    const image = await this.#draw(node)
    if (this.isOver) return null
    this.#library.images.set(image.image_name, image)
    await beforeEvent()
    const { image_name, width, height } = image
    this.complete({ type: 'image_output', image: { image_name }, width, height })
    return image
  }

  /** Fails the item. The status event precedes the error event, as in InvokeAI. */
  fail(errorType: string, errorMessage: string): void {
    if (this.isOver || this.#node === null) return
    const error_traceback = `Traceback (most recent call last):\n${errorType}: ${errorMessage}`
    const fault = { error_type: errorType, error_message: errorMessage, error_traceback }
    const node = this.#node
    this.item.session.errors[node.id] = `${errorType}: ${errorMessage}`
    const data = this.#eventDataOf(node)
    this.#queue.change(this.item, 'failed', fault)
    this.#queue.tell('invocation_error', { ...data, ...fault }, { userId: this.item.user_id })
  }

  /** Completes the item after all of its nodes. */
  finish(): void {
    this.#queue.change(this.item, 'completed')
  }

  #read(): Record<string, unknown> {
    if (this.#node?.type !== 'metadata_from_image') return { type: 'integer_output', value: 0 }
    const { image_name = '' } = this.#node.image as { image_name?: string }
    const metadata = this.#library.images.get(image_name)?.metadata ?? {}
    return { type: 'metadata_output', metadata }
  }

  #tell(event: string, data: Record<string, unknown>): void {
    if (this.isOver || this.#node === null) return
    const audience = { userId: this.item.user_id }
    this.#queue.tell(event, { ...this.#eventDataOf(this.#node), ...data }, audience)
  }

  #eventDataOf(node: FakeNode) {
    const { item_id, queue_id, batch_id, origin, destination, user_id, session_id } = this.item
    return {
      ...{ queue_id, item_id, batch_id, origin, destination, user_id, session_id },
      invocation: node,
      invocation_source_id: this.#sourceId(),
    }
  }

  #sourceId(): string {
    return this.item.session.prepared_source_mapping[this.#node?.id ?? ''] ?? ''
  }

  #edgeInto(nodeId: string, field: string) {
    return this.item.session.graph.edges.find(
      ({ destination }) => destination.node_id === nodeId && destination.field === field,
    )
  }

  #resultOf(sourceId: string): Record<string, unknown> | undefined {
    const [prepared = ''] = this.item.session.source_prepared_mapping[sourceId] ?? []
    return this.item.session.results[prepared]
  }

  /** Returns the image size that the graph specifies. */
  #sizePx(): { width: number; height: number } {
    const nodes = [this.#node, ...Object.values(this.item.session.graph.nodes)]
    const sized = nodes.find((node) => typeof node?.width === 'number')
    return { width: Number(sized?.width ?? 512), height: Number(sized?.height ?? 512) }
  }

  async #draw(node: FakeNode): Promise<StoredImage> {
    const boardId = (node.board as { board_id?: string } | null)?.board_id ?? 'none'
    const made = await storeUpload(await this.#pixelsOf(node), {
      userId: this.item.user_id,
      category: makesMask(node) ? 'mask' : 'general',
      isIntermediate: node.is_intermediate,
      sessionId: this.item.session_id,
      boardId: this.#library.boards.has(boardId) ? boardId : null,
      metadata: node.metadata ? JSON.stringify(node.metadata) : undefined,
      resizeTo: undefined,
    })
    const graph = JSON.stringify(this.item.session.graph)
    return { ...made, image_origin: 'internal', node_id: node.id, graph }
  }

  async #pixelsOf(node: FakeNode): Promise<Buffer> {
    const name = (node.image as { image_name?: string } | null)?.image_name
    const source = name === undefined ? undefined : this.#library.images.get(name)
    if (source) return pixelsOf(source.png, node)
    const { width, height } = this.#sizePx()
    const drawOptions = { seed: this.item.item_id, widthPx: width, heightPx: height }
    return (await drawPicture({ ...drawOptions, kind: 'invokeai' })).bytes
  }
}

/** Creates a small JPEG preview as a data URL with the size of the finished image. */
async function previewOf(sizePx: { width: number; height: number }) {
  const background = { r: 120, g: 90, b: 160 }
  const bytes = await sharp({ create: { width: 32, height: 32, channels: 3, background } })
    .jpeg()
    .toBuffer()
  return { ...sizePx, dataURL: `data:image/jpeg;base64,${bytes.toString('base64')}` }
}
