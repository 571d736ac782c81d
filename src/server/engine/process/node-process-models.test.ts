import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ModelNews } from '#server/core/models/model-ports.ts'
import { MemoryEngineLibrary } from '#testing/library/memory-engine-library.ts'
import { modelFile } from '#testing/models/model-file.ts'
import { enlargingOnnx } from '#testing/models/onnx-file.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { NodeProcess } from './node-process.ts'

const MIB = 1024 * 1024

const open = async () => {
  const folder = await createTemporaryFolder()
  const path = join(folder, 'up.onnx')
  const bytes = enlargingOnnx()
  await writeFile(path, bytes)
  const news: ModelNews[] = []
  const file = modelFile(path, bytes.length)
  const nodes = new NodeProcess(
    {
      maxPixels: 1_000_000,
      appVersion: '6.14.0',
      maxMemoryBytes: 1024 * MIB,
      modelMemoryBytes: MIB,
    },
    await MemoryEngineLibrary.open(),
    { find: async () => file, report: (one) => news.push(one) },
  )
  onTestFinished(async () => {
    await nodes.close()
    await removeFolder(folder)
  })
  return { nodes, file, news }
}

const whatOf = (news: readonly ModelNews[]) => news.map(({ what }) => what)

test('reports models as lost when the process ends, and reloads them', async () => {
  const { nodes, file, news } = await open()
  await nodes.load(file)
  process.kill(nodes.pid ?? 0, 'SIGKILL')
  await vi.waitFor(() => expect(nodes.pid).toBe(null), { timeout: 30_000 })

  await nodes.load(file)

  expect(whatOf(news)).toEqual(['loading', 'loaded', 'lost', 'loading', 'loaded'])
})

test('starts no process to empty an empty cache', async () => {
  const { nodes } = await open()

  await nodes.empty()

  expect(nodes.pid).toBe(null)
})

test('loads no model after closing', async () => {
  const { nodes, file } = await open()
  await nodes.close()

  await expect(nodes.load(file)).rejects.toMatchObject({ code: 'stopping' })
  expect(nodes.pid).toBe(null)
})

/** Makes the process resolve ONNX Runtime from an empty location. */
const withoutOnnxRuntime = () => {
  const hook = `import { registerHooks } from 'node:module'
    registerHooks({ resolve: (name, context, next) => next(name,
      name === 'onnxruntime-node' ? { ...context, parentURL: 'file:///nowhere/module.js' } : context) })`
  vi.stubEnv('NODE_OPTIONS', `--import data:text/javascript,${encodeURIComponent(hook)}`)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
}

test('states what to install without ONNX Runtime, and still runs other nodes', async () => {
  withoutOnnxRuntime()
  const { nodes, file, news } = await open()

  await expect(nodes.load(file)).rejects.toMatchObject({
    code: 'model_runtime_missing',
    message: expect.stringContaining('npm i onnxruntime-node'),
  })
  const add = { id: 'a', type: 'add', is_intermediate: false, use_cache: true, a: 1, b: 2 }
  const run = nodes.run(add, () => undefined, new AbortController().signal)
  expect(await run).toMatchObject({ output: { value: 3 } })
  expect(news).toEqual([])
})
