import { totalmem } from 'node:os'
import type { EngineModels, ModelRunner } from '#server/core/models/model-ports.ts'
import type { EngineLibrary, GraphEngine } from '#server/core/queue/engine-ports.ts'
import { checkField } from './graph/check-field.ts'
import { checkGraph } from './graph/check-graph.ts'
import { ProcessModels } from './models/process-models.ts'
import { nodeCatalog } from './nodes/index.ts'
import { NodeProcess } from './process/node-process.ts'
import { InvocationCache } from './session/invocation-cache.ts'
import { runSession } from './session/run-session.ts'
import { newSession } from './session/session-record.ts'

/** What the engine is opened with. */
export interface EngineOptions {
  library: EngineLibrary
  /** Default: there are none. */
  models?: EngineModels
  /** Width times height that a picture may have. */
  maxPixels: number
  /** What metadata nodes note down. */
  appVersion: string
  /** Puts text chunks into a PNG, as generators do. */
  embedTexts(png: Uint8Array, texts: Readonly<Record<string, string>>): Uint8Array
  /** Resident memory that the process of the nodes may take, in bytes. Default: half of the machine's. */
  maxMemoryBytes?: number
  /** What models may take of it, in bytes. Default: half of it. */
  modelMemoryBytes?: number
}

const noModels: EngineModels = { find: async () => null, report: () => undefined }

/** The process that runs nodes needs this much to start and to hold a picture of common size. */
const MIN_MEMORY_BYTES = 512 * 1024 * 1024

/** Memory of the machine, or what a container may take of it, in bytes. */
const memoryHere = (): number => {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

/** What runs graphs, and holds the models that they need. */
export interface Engine extends GraphEngine {
  readonly models: ModelRunner
}

/** Opens what runs graphs. Its process is started when it is first needed, not before. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { library, models = noModels, maxPixels, appVersion, embedTexts } = options
  const maxMemoryBytes = Math.max(
    MIN_MEMORY_BYTES,
    options.maxMemoryBytes ?? Math.floor(memoryHere() / 2),
  )
  const modelMemoryBytes = options.modelMemoryBytes ?? Math.floor(maxMemoryBytes / 2)
  const child = { maxPixels, appVersion, maxMemoryBytes, modelMemoryBytes }
  const nodes = new NodeProcess(child, library, models)
  const cache = new InvocationCache()
  const parts = { catalog: nodeCatalog, nodes, cache, library, embedTexts }
  const closing = new AbortController()
  let underWay: Promise<unknown> = Promise.resolve()
  return {
    check: (graph, at) => checkGraph(nodeCatalog, graph, [...at]),
    prepare: () => nodes.prepare(),
    checkField: (graph, value) => checkField(nodeCatalog, graph, value),
    newSession,
    run: (job, listener, signal) => {
      const end = runSession(parts, job, listener, AbortSignal.any([signal, closing.signal]))
      underWay = end.catch(() => undefined)
      return end
    },
    cache: cache.control,
    models: new ProcessModels(nodes, modelMemoryBytes),
    close: async () => {
      closing.abort()
      await underWay
      await nodes.close()
    },
  }
}
