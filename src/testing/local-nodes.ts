import type { NodeFieldValue } from '#contract/queue/queue.ts'
import type { EngineEnd, EngineLibrary, EngineListener } from '#server/core/queue/engine-ports.ts'
import { FaultList } from '#server/core/validation/fault-list.ts'
import { checkGraph } from '#server/engine/graph/check-graph.ts'
import { readNode } from '#server/engine/graph/read-node.ts'
import { LoadedModels } from '#server/engine/models/loaded-models.ts'
import { withModelOf } from '#server/engine/models/node-models.ts'
import { nodeCatalog } from '#server/engine/nodes/index.ts'
import type { NodeRunner } from '#server/engine/process/messages.ts'
import { type ContextParts, runNode } from '#server/engine/process/run-node.ts'
import { InvocationCache } from '#server/engine/session/invocation-cache.ts'
import { runSession } from '#server/engine/session/run-session.ts'
import { checkedGraph, RecordingListener } from './graph-of.ts'

const nothing: ContextParts['library'] = {
  image: async () => null,
  openFile: async () => null,
  metadata: async () => null,
}

const noModels = withModelOf({ find: async () => null }, new LoadedModels(0, () => undefined))

/** Creates a node runner in this process, for tests of outputs and of the order of execution. */
export const createLocalNodes = (
  library: ContextParts['library'] = nothing,
  withModel = noModels,
) =>
  ({
    run: (node, onProgress, signal) =>
      runNode(node, {
        library,
        withModel,
        signal,
        onProgress,
        appVersion: '6.14.0',
        maxPixels: 16_777_216,
      }),
  }) satisfies NodeRunner

/** Parses a node as in a graph, runs it alone, and returns its output. @throws The node is invalid or failed. */
export async function outputOf(
  type: string,
  inputs: Record<string, unknown> = {},
  library = nothing,
): Promise<Record<string, unknown>> {
  const found = new FaultList()
  const node = readNode(nodeCatalog, { id: type, type, ...inputs }, [], found)
  if (node === undefined || found.all.length > 0) throw new Error(found.all[0]?.msg)
  const result = await createLocalNodes(library).run(
    node,
    () => undefined,
    new AbortController().signal,
  )
  return result.kind === 'output' ? result.output : { ...result }
}

/** Checks a graph and runs it in this process. */
export async function runLocally(
  submitted: unknown,
  options: {
    listener?: EngineListener
    library?: EngineLibrary
    cache?: InvocationCache
    fieldValues?: NodeFieldValue[]
    nodes?: NodeRunner
    signal?: AbortSignal
  } = {},
): Promise<EngineEnd> {
  const graph = checkedGraph({ check: (of, at) => checkGraph(nodeCatalog, of, [...at]) }, submitted)
  const library = options.library ?? {
    ...nothing,
    closeFiles: async () => undefined,
    save: async () => Promise.reject(new Error('no library')),
  }
  return runSession(
    {
      catalog: nodeCatalog,
      nodes: options.nodes ?? createLocalNodes(library),
      cache: options.cache ?? new InvocationCache(),
      library,
      embedTexts: (png) => png,
    },
    {
      itemId: 1,
      sessionId: 'session',
      graph,
      fieldValues: options.fieldValues ?? [],
      workflow: null,
    },
    options.listener ?? new RecordingListener(),
    options.signal ?? new AbortController().signal,
  )
}

/** Returns the outputs of all copies of a node in the order of completion. @throws The error of the run. */
export async function outputsOf(graph: unknown, node: string, field = 'value'): Promise<unknown[]> {
  const listener = new RecordingListener()
  const { fault } = await runLocally(graph, { listener })
  if (fault !== null) throw new Error(fault.traceback)
  return listener.outputsOf(node, field)
}
