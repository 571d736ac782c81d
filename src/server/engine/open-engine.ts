import { totalmem } from 'node:os'
import type { EngineModels, ModelRunner } from '#server/core/models/model-ports.ts'
import type { EngineLibrary, GraphEngine } from '#server/core/queue/engine-ports.ts'
import { checkField, checkGraph } from './graph/check-graph.ts'
import { nodeCatalog } from './nodes/index.ts'
import { NodeProcess } from './process/node-process.ts'
import { InvocationCache } from './session/invocation-cache.ts'
import { runSession } from './session/run-session.ts'
import { newSession } from './session/session-record.ts'

export interface EngineOptions {
  library: EngineLibrary
  /** Default: no models. */
  models?: EngineModels
  /** Limit of width times height of a picture. */
  maxPixels: number
  /** The version that metadata nodes record. */
  appVersion: string
  /** Writes text chunks into a PNG. */
  embedTexts(png: Uint8Array, texts: Readonly<Record<string, string>>): Uint8Array
  /** Limit of resident memory of the node process, in bytes. Default: half of the machine's memory. */
  maxMemoryBytes?: number
  /** Part of `maxMemoryBytes` for models, in bytes. Default: half of it. */
  modelMemoryBytes?: number
}

const noModels: EngineModels = { find: async () => null, report: () => undefined }

/** Minimum memory of the node process to start and to hold a picture of common size. */
const MIN_MEMORY_BYTES = 512 * 1024 * 1024

/** Memory of the machine or the limit of its container, in bytes. */
const memoryHere = (): number => {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

/** Runs graphs and holds their models. */
export interface Engine extends GraphEngine {
  readonly models: ModelRunner
}

/** Opens the engine. Its process starts when it is first needed. */
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
  let lastRun: Promise<unknown> = Promise.resolve()
  return {
    check: (graph, at) => checkGraph(nodeCatalog, graph, [...at]),
    // Before the first node, because a start takes up to a second.
    prepare: () => nodes.prepare(),
    checkField: (graph, value) => checkField(nodeCatalog, graph, value),
    newSession,
    run: (job, listener, signal) => {
      const end = runSession(parts, job, listener, AbortSignal.any([signal, closing.signal]))
      lastRun = end.catch(() => undefined)
      return end
    },
    cache: cache.control,
    models: nodes,
    close: async () => {
      closing.abort()
      await lastRun
      await nodes.close()
    },
  }
}
