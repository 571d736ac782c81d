import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { NodeFault } from '#server/engine/node-fault.ts'
import { MemoryEngineLibrary } from '#testing/library/memory-engine-library.ts'
import { NodeProcess } from './node-process.ts'

const MIB = 1024 * 1024

let library: MemoryEngineLibrary
/** Shared by the tests: a new process starts after a test ends the old one. */
let nodes: NodeProcess

const open = () =>
  new NodeProcess(
    {
      maxPixels: 200_000_000,
      appVersion: '6.14.0',
      maxMemoryBytes: 400 * MIB,
      modelMemoryBytes: 100 * MIB,
    },
    library,
    { find: async () => null, report: () => undefined },
  )

/** Opens a process without previous runs and closes it after the test. */
const openOwn = (): NodeProcess => {
  const own = open()
  onTestFinished(() => own.close())
  return own
}

beforeAll(async () => {
  library = await MemoryEngineLibrary.open()
  nodes = open()
})

afterAll(() => nodes.close())

const add = { id: 'add', type: 'add', is_intermediate: false, use_cache: true, a: 1, b: 2 }

const red = { r: 255, g: 0, b: 0, a: 255 }

/** A regular expression that backtracks for hours. */
const endless = {
  ...add,
  id: 'endless',
  type: 'string_replace',
  string: `${'a'.repeat(60)}!`,
  search_string: '^(a+)+$',
  replace_string: '',
  use_regex: true,
}

/** Expands ten megabytes to ten gigabytes. */
const greedy = {
  ...endless,
  id: 'greedy',
  string: 'a'.repeat(10_000_000),
  search_string: 'a',
  replace_string: 'b'.repeat(1_000),
  use_regex: true,
}

const runIn = (it: NodeProcess, node: typeof add, signal = new AbortController().signal) =>
  it.run(node, () => undefined, signal)

const run = (node: typeof add, signal?: AbortSignal) => runIn(nodes, node, signal)

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Blocks this process, which is the server of these tests. */
const blockFor = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

test('starts the process with the first node and reuses it', async () => {
  const own = openOwn()
  expect(own.pid).toBeNull()

  await runIn(own, add)
  const { pid } = own
  const result = await runIn(own, { ...add, a: 40 })

  expect(result).toMatchObject({ output: { type: 'integer_output', value: 42 } })
  expect(own.pid).toBe(pid)
  expect(pid).not.toBe(process.pid)
})

test('runs the first node in a process that was started in advance', async () => {
  const own = openOwn()
  own.prepare()
  const { pid } = own
  own.prepare()

  expect(await runIn(own, add)).toMatchObject({ output: { value: 3 } })
  expect(pid).not.toBeNull()
  expect(own.pid).toBe(pid)
})

test('returns a picture with its thumbnail', async () => {
  const blank = { ...huge, width: 800, height: 600 }
  const result = await run(blank)

  if (result.kind !== 'picture') throw new Error('There is no picture.')
  expect(await sharp(result.thumbnail.thumbnail).metadata()).toMatchObject({
    format: 'webp',
    width: 384,
    height: 288,
  })
  expect(result.thumbnail.thumbhash.length).toBeGreaterThan(0)
})

test("preserves the type and message of a node's error", async () => {
  const fault = await run({ ...add, type: 'div', b: 0 }).catch((error: unknown) => error)

  expect(fault).toBeInstanceOf(NodeFault)
  expect(fault).toMatchObject({ type: 'ZeroDivisionError', message: 'division by zero' })
})

test('ends an endless loop on cancel, and starts a new process', async () => {
  await run(add)
  const { pid } = nodes
  const cancel = new AbortController()

  const running = run(endless, cancel.signal)
  cancel.abort(new Error('canceled'))

  await expect(running).rejects.toThrow('canceled')
  expect(pid !== null && isAlive(pid)).toBe(false)
  expect(await run(add)).toMatchObject({ output: { value: 3 } })
})

test('starts a new process after a kill that crosses the answer', async () => {
  await run(add)
  const { pid } = nodes
  const cancel = new AbortController()

  const running = run(add, cancel.signal)
  cancel.abort(new Error('canceled'))
  blockFor(1_000) // The answer arrives meanwhile, and the time limit passes before it is read.

  await expect(running).rejects.toThrow('canceled')
  expect(await run(add)).toMatchObject({ output: { value: 3 } })
  expect(nodes.pid).not.toBe(pid)
})

test('fails only the current node when the process is killed', async () => {
  await run(add)
  const running = run(endless)
  process.kill(nodes.pid ?? 0, 'SIGKILL')

  await expect(running).rejects.toMatchObject({
    type: 'NodeProcessError',
    message: 'The process that ran the node ended by SIGKILL.',
  })
  expect(await run(add)).toMatchObject({ output: { value: 3 } })
})

const huge = {
  ...add,
  type: 'blank_image',
  width: 14_000,
  height: 14_000,
  mode: 'RGBA',
  color: red,
}

test.each([
  ['text @long', greedy],
  ['pixels', huge],
])('ends a node that exceeds the memory limit by its %s, with that reason', async (_what, node) => {
  await expect(run(node)).rejects.toMatchObject({ type: 'OutOfMemoryError' })
  expect(await run(add)).toMatchObject({ output: { value: 3 } })
})

test('does not open unsupported file formats for nodes', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
  const image = await library.add('drawing.png', Buffer.from(svg))
  const blur = { ...add, type: 'img_blur', image: { image_name: image.image_name } }

  await expect(run(blur)).rejects.toMatchObject({ type: 'UnidentifiedImageError' })
})

test('ignores terminal signals, so that the server ends the node', async () => {
  await run(add)
  const { pid } = nodes
  process.kill(pid ?? 0, 'SIGINT')
  process.kill(pid ?? 0, 'SIGTERM')

  expect(await run(add)).toMatchObject({ output: { value: 3 } })
  expect(nodes.pid).toBe(pid)
})

test('ends the process within a node when it closes', async () => {
  const own = openOwn()
  await runIn(own, add)
  const { pid } = own
  const running = runIn(own, endless)

  await own.close()

  await expect(running).rejects.toMatchObject({ type: 'NodeProcessError' })
  expect(pid !== null && isAlive(pid)).toBe(false)
})

test('ends the process when its server dies, even within a node', async () => {
  const source = fileURLToPath(new URL('./node-process.ts', import.meta.url))
  const script = `
    const { NodeProcess } = await import(${JSON.stringify(source)})
    const nodes = new NodeProcess({ maxPixels: 1, appVersion: '', maxMemoryBytes: 4e8 }, { closeFiles: async () => {} })
    const run = (node) => nodes.run(node, () => undefined, new AbortController().signal)
    await run(${JSON.stringify(add)})
    const endless = run(${JSON.stringify(endless)})
    console.log(nodes.pid)
    await endless`
  const server = spawn(process.execPath, ['--input-type=module', '-e', script])
  const [said] = await once(server.stdout, 'data')
  const pid = Number(String(said))
  expect(isAlive(pid)).toBe(true)

  server.kill('SIGKILL')

  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
})
