import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addPngText } from '#demo/png-text.ts'
import type { EngineJob, GraphEngine } from '#server/core/queue/engine-ports.ts'
import { checkedGraph, graphOf, RecordingListener } from '#testing/graph-of.ts'
import { MemoryEngineLibrary } from '#testing/library/memory-engine-library.ts'
import { openEngine } from './open-engine.ts'

let library: MemoryEngineLibrary
let engine: GraphEngine

beforeEach(async () => {
  library = await MemoryEngineLibrary.open()
  engine = await openEngine({
    library,
    maxPixels: 1_000_000,
    appVersion: '6.14.0',
    embedTexts: addPngText,
  })
})

afterEach(() => engine.close())

const start = (
  graph: ReturnType<typeof graphOf>,
  listener = new RecordingListener(),
  more: Partial<EngineJob> & { signal?: AbortSignal } = {},
) => {
  const { signal = new AbortController().signal, ...job } = more
  return engine.run(
    {
      itemId: 1,
      sessionId: 'session',
      graph: checkedGraph(engine, graph),
      fieldValues: [],
      workflow: null,
      ...job,
    },
    listener,
    signal,
  )
}

const red = { r: 255, g: 0, b: 0, alpha: 1 }
const addImage = async (imageName: string) => {
  const image = sharp({ create: { width: 4, height: 3, channels: 3, background: red } })
  return library.add(imageName, await image.png().toBuffer(), { prompt: 'red' })
}

const copy = (more: Record<string, unknown> = {}) =>
  graphOf({ s: { type: 'save_image', image: { image_name: 'red.png' }, ...more } })

/** A regular expression that backtracks for hours. */
const endless = {
  type: 'string_replace',
  string: `${'a'.repeat(60)}!`,
  search_string: '^(a+)+$',
  use_regex: true,
}

test('runs a graph in a separate process', async () => {
  const listener = new RecordingListener()
  const sum = graphOf({ a: { type: 'integer', value: 2 }, b: { type: 'add', b: 3 } }, [
    'a.value -> b.a',
  ])

  const end = await start(sum, listener)

  expect(end).toMatchObject({ status: 'completed', fault: null, session: { id: 'session' } })
  expect(listener.lines).toEqual(['started a', 'complete a', 'started b', 'complete b'])
  expect(listener.outputsOf('b')).toEqual([5])
})

test('reads the library of the server from a node', async () => {
  await addImage('red.png')
  const listener = new RecordingListener()
  const image = { image_name: 'red.png' }

  await start(
    graphOf({
      i: { type: 'image', image },
      m: { type: 'metadata_field_extractor', image, key: 'prompt' },
    }),
    listener,
  )

  expect(listener.results).toEqual([
    ['i', { type: 'image_output', image, width: 4, height: 3, output_meta: null }],
    ['m', { type: 'string_output', value: 'red', output_meta: null }],
  ])
})

test('saves a picture with its board, metadata, workflow and graph', async () => {
  await addImage('red.png')
  const listener = new RecordingListener()
  const metadata = { prompt: 'größer' }
  const board = { board_id: 'board' }

  const { session } = await start(copy({ board, metadata, is_intermediate: true }), listener, {
    workflow: { name: 'mine' },
  })

  const [saved] = library.saved
  expect(listener.lines).toEqual(['started s', 'progress s: Saving image', 'complete s'])
  expect(listener.results[0]?.[1]).toMatchObject({
    image: { image_name: 'saved-1.png' },
    width: 4,
    height: 3,
  })
  expect(saved).toMatchObject({
    category: 'general',
    isIntermediate: true,
    boardId: 'board',
    sessionId: 'session',
    nodeId: session.source_prepared_mapping.s?.[0],
    metadata: JSON.stringify(metadata),
  })
  const { comments = [], width } = await sharp(saved?.bytes).metadata()
  const texts = Object.fromEntries(comments.map(({ keyword, text }) => [keyword, JSON.parse(text)]))
  expect(width).toBe(4)
  expect(texts).toEqual({
    invokeai_metadata: metadata,
    invokeai_workflow: { name: 'mine' },
    invokeai_graph: session.graph,
  })
})

test('reuses a cached result until its image is deleted', async () => {
  await addImage('red.png')
  const graph = copy({ use_cache: true })
  const listener = new RecordingListener()
  const run = () => start(graph, listener)

  await run()
  await run()
  expect(listener.lines.slice(3)).toEqual(['started s', 'complete s'])
  expect(engine.cache.status()).toEqual({
    size: 1,
    hits: 1,
    misses: 1,
    enabled: true,
    max_size: 512,
  })

  library.delete('saved-1.png')
  await run()
  expect(library.saved).toHaveLength(2)

  engine.cache.setEnabled(false)
  await run()
  expect(library.saved).toHaveLength(3)
  expect(engine.cache.status()).toMatchObject({ size: 1, hits: 1, misses: 2, enabled: false })

  engine.cache.clear()
  expect(engine.cache.status()).toMatchObject({ size: 0 })
})

test('fails a node whose image does not exist', async () => {
  const listener = new RecordingListener()

  const { fault } = await start(copy(), listener)

  expect(fault).toMatchObject({ type: 'ImageRecordNotFoundException' })
  expect(listener.lines).toEqual(['started s', 'error s: ImageRecordNotFoundException'])
})

test('cancels a run within a node, and runs the next one', async () => {
  const cancel = new AbortController()
  const listener = new RecordingListener((sourceId) => sourceId === 'b' && cancel.abort())
  const graph = graphOf({ a: { type: 'add' }, b: endless, c: { type: 'string' } }, [
    'b.value -> c.value',
  ])

  const end = await start(graph, listener, { signal: cancel.signal })
  const next = await start(graphOf({ a: { type: 'add', a: 9 } }))

  expect(end).toMatchObject({
    status: 'canceled',
    fault: null,
    session: { executed_history: ['a'] },
  })
  expect(listener.lines).toEqual(['started a', 'complete a', 'started b'])
  expect(next.status).toBe('completed')
})

test('cancels the current run when it closes', async () => {
  const started = Promise.withResolvers<void>()
  const running = start(graphOf({ b: endless }), new RecordingListener(() => started.resolve()))
  await started.promise

  await engine.close()

  expect((await running).status).toBe('canceled')
})
