import sharp from 'sharp'
import Type from 'typebox'
import type { ProgressImage } from '#contract/events.ts'
import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import type { GraphNode } from '#contract/queue/graph.ts'
import { drawPicture } from '#demo/draw-picture.ts'
import type { EngineJob, EngineListener } from '#server/core/queue/engine-ports.ts'
import { defineNode, definePictureNode } from '#server/engine/define-node.ts'
import { checkField, checkGraph } from '#server/engine/graph/check-graph.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { nodeCatalog } from '#server/engine/nodes/index.ts'
import { type Engine, type EngineOptions, openEngine } from '#server/engine/open-engine.ts'
import type { NodeProgress, NodeResult, NodeRunner } from '#server/engine/process/messages.ts'
import { InvocationCache } from '#server/engine/session/invocation-cache.ts'
import { runSession } from '#server/engine/session/run-session.ts'
import { drawThumbnail, reduce } from '#server/processes/draw-thumbnail.ts'
import { createLocalNodes } from '#testing/local-nodes.ts'

const anything = Type.Unknown({ default: null })
const notRunHere = () => Promise.reject(new Error('The engine draws the result.'))

/** Nodes of InvokeAI's text to image that need a model. The last one draws a picture instead. */
const modelNodes = [
  defineNode({
    type: 'noise',
    summary: 'Creates noise',
    inputs: {
      seed: Type.Integer({ default: 0 }),
      width: Type.Integer({ default: 512 }),
      height: Type.Integer({ default: 512 }),
    },
    output: { type: 'noise_output', fields: Type.Object({ noise: Type.Unknown() }) },
    run: notRunHere,
  }),
  defineNode({
    type: 'denoise_latents',
    summary: 'Denoises latents',
    inputs: { noise: anything, steps: Type.Integer({ default: 10 }) },
    output: { type: 'latents_output', fields: Type.Object({ latents: Type.Unknown() }) },
    run: notRunHere,
  }),
  definePictureNode({
    type: 'l2i',
    summary: 'Decodes latents',
    inputs: { latents: anything },
    run: notRunHere,
  }),
]
const catalog = new Map([...nodeCatalog, ...modelNodes.map((node) => [node.type, node] as const)])

/** The size of a picture in pixels. */
interface Size {
  width: number
  height: number
}

/** Runs the nodes of {@link modelNodes}: noise and latents are the size of the picture. */
async function runModelNode(node: GraphNode, seed: number): Promise<NodeResult | null> {
  if (node.type === 'noise') {
    const noise = { width: node.width, height: node.height }
    return { kind: 'output', output: { type: 'noise_output', noise }, size: 100 }
  }
  if (node.type === 'denoise_latents') {
    return { kind: 'output', output: { type: 'latents_output', latents: node.noise }, size: 100 }
  }
  if (node.type !== 'l2i') return null
  const { width, height } = node.latents as Size
  const drawn = await drawPicture({ seed, kind: 'invokeai', widthPx: width, heightPx: height })
  const png = await sharp(drawn.bytes).png().toBuffer() // without the embedded metadata
  const thumbnail = await drawThumbnail(await reduce(sharp(png), THUMBNAIL_SIZES[0]))
  return { kind: 'picture', png, thumbnail, width, height }
}

/** Progress of a node. */
export interface Progress {
  message?: string
  percentage?: number | null
  /** True to include a preview image. */
  withImage?: boolean
}

/** A queue item that runs under the control of a test. */
export class SteeredRun {
  readonly itemId: number
  #nodeId = ''
  #target = Promise.withResolvers<void>()
  #started = Promise.withResolvers<void>()
  #end = Promise.withResolvers<void>()
  #completed = Promise.withResolvers<void>()
  #report: (progress: NodeProgress) => void = () => {}
  #beforeEvent = async () => {}

  constructor(itemId: number) {
    this.itemId = itemId
  }

  /** Runs all nodes before this one, and waits until it has started. */
  async start(nodeId: string): Promise<void> {
    this.#nodeId = nodeId
    this.#started = Promise.withResolvers()
    this.#end = Promise.withResolvers()
    this.#completed = Promise.withResolvers()
    this.#target.resolve()
    await this.#started.promise
  }

  /** Reports progress of the started node. */
  async progress({ message = 'Denoising', percentage = null, withImage = false }: Progress) {
    this.#report({ message, percentage, image: withImage ? await drawPreview() : null })
  }

  /**
   * Completes the started node, which saves its image, and after the last node the item.
   *
   * @param options - `beforeEvent` runs when lists include the image and no event has named it yet.
   */
  async complete(options: { beforeEvent?: () => Promise<void> } = {}): Promise<void> {
    this.#beforeEvent = options.beforeEvent ?? (async () => {})
    this.#target = Promise.withResolvers()
    this.#end.resolve()
    await this.#completed.promise
  }

  /** Fails the started node and the item. */
  fail(type: string, message: string): void {
    this.#end.reject(new NodeFault(message, type))
  }

  /** For the engine: waits for the first `start`. */
  begin = (): Promise<void> => this.#target.promise

  /** For the engine: lets a node pass that precedes the started one, and holds the started one. */
  async hold(nodeId: string, report: (progress: NodeProgress) => void): Promise<void> {
    await this.#target.promise
    if (nodeId !== this.#nodeId) return
    this.#report = report
    this.#started.resolve()
    await this.#end.promise
  }

  /** For the engine. */
  onSaved = (): Promise<void> => this.#beforeEvent()

  /** For the engine. */
  onComplete(nodeId: string): void {
    if (nodeId === this.#nodeId) this.#completed.resolve()
  }
}

/**
 * The engine of a server, with the nodes of {@link modelNodes}. It runs queue items by itself until a test takes
 * one over.
 */
export class SteeredEngine {
  readonly #takers: ((run: SteeredRun) => void)[] = []
  #run: SteeredRun | null = null
  #itemId = 0
  #nodeId = ''

  /** Waits for the next item, which then waits for `start`. */
  take(): Promise<SteeredRun> {
    return new Promise((resolve) => this.#takers.push(resolve))
  }

  /** Opens the engine of a server. */
  open = async (options: EngineOptions): Promise<Engine> => {
    const engine = await openEngine(options)
    const library: EngineOptions['library'] = {
      image: (name) => options.library.image(name),
      openFile: (name) => options.library.openFile(name),
      closeFiles: () => options.library.closeFiles(),
      metadata: (name) => options.library.metadata(name),
      save: async (picture, signal) => {
        const image = await options.library.save(picture, signal)
        await this.#run?.onSaved()
        return image
      },
    }
    const cache = new InvocationCache()
    const { embedTexts } = options
    const parts = {
      catalog,
      nodes: this.#nodes(createLocalNodes(library)),
      cache,
      library,
      embedTexts,
    }
    return {
      ...engine,
      cache: cache.control,
      prepare: () => {},
      check: (graph, at) => checkGraph(catalog, graph, [...at]),
      checkField: (graph, value) => checkField(catalog, graph, value),
      run: async (job, listener, signal) => {
        const run = this.#begin(job)
        await (run && Promise.race([run.begin(), aborted(signal)]).catch(() => {}))
        const watching: EngineListener = {
          ...listener,
          onStarted: (of) => {
            this.#nodeId = of.sourceId
            listener.onStarted(of)
          },
          onComplete: (of, result) => {
            listener.onComplete(of, result)
            run?.onComplete(of.sourceId)
          },
        }
        return runSession(parts, job, watching, signal)
      },
    }
  }

  #begin({ itemId }: EngineJob): SteeredRun | null {
    const taker = this.#takers.shift()
    this.#itemId = itemId
    this.#run = taker ? new SteeredRun(itemId) : null
    if (this.#run) taker?.(this.#run)
    return this.#run
  }

  #nodes(local: NodeRunner): NodeRunner {
    return {
      run: async (node, report, signal) => {
        await (this.#run && Promise.race([this.#run.hold(this.#nodeId, report), aborted(signal)]))
        if (node.type === 'l2i') {
          if (!this.#run)
            report({ message: 'Denoising', percentage: 0.5, image: await drawPreview() })
          report({ message: 'Saving image', percentage: null, image: null })
        }
        return (await runModelNode(node, this.#itemId)) ?? local.run(node, report, signal)
      },
    }
  }
}

/** Rejects when a signal is aborted. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })

/** Draws a preview: a small JPEG, with the size of the finished image. */
async function drawPreview(): Promise<ProgressImage> {
  const background = { r: 120, g: 90, b: 160 }
  const bytes = await sharp({ create: { width: 32, height: 32, channels: 3, background } })
    .jpeg()
    .toBuffer()
  return { width: 96, height: 64, dataURL: `data:image/jpeg;base64,${bytes.toString('base64')}` }
}
