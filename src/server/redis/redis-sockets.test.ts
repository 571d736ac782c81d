import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, inject, onTestFinished, test } from 'vitest'
import { MAX_SOCKETS_PER_ADDRESS } from '#contract/events.ts'
import { openProcess } from '#testing/engines/redis-coordination.ts'

const url = inject('redisUrl')

const client = (clientId: string) => ({ address: '192.0.2.1', clientId })

const clients = Array.from({ length: MAX_SOCKETS_PER_ADDRESS }, (_, id) => `client ${id}`)

/** Opens two processes of a library. */
const openTwo = async () => {
  const one = await openProcess(url)
  return { one, two: await openProcess(url, { library: one.library }) }
}

/** Starts another process of the library, which holds a socket of each client. */
const startChild = async (library: string, names: readonly string[]) => {
  const program = fileURLToPath(new URL('../../testing/engines/redis-child.ts', import.meta.url))
  const child = spawn(process.execPath, [program, url, library, ...names], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  let printed = ''
  child.stdout.on('data', (text) => (printed += text))
  await expect.poll(() => printed).toBe('ready\n')
  return { child, replaced: () => printed.split('\n').slice(1, -1) }
}

test('replaces the socket of a client in another process', async () => {
  const { one, two } = await openTwo()
  const replaced: string[] = []
  await one.sockets.take('raw', client('page'), () => replaced.push('in one'))

  await two.sockets.take('raw', client('page'), () => replaced.push('in two'))

  await expect.poll(() => replaced).toEqual(['in one'])
})

test('limits the sockets of an address over all processes', async () => {
  const { one, two } = await openTwo()
  for (const [index, name] of clients.entries()) {
    const { sockets } = index % 2 ? one : two
    expect(await sockets.take('raw', client(name), () => {})).not.toBeNull()
  }

  for (const { sockets } of [one, two]) {
    expect(await sockets.hasRoom('raw', client('one more'))).toBe(false)
    expect(await sockets.take('raw', client('one more'), () => {})).toBeNull()
  }
})

test('frees the places of a process that was killed once its lease has expired', async () => {
  const survivor = await openProcess(url)
  const { child } = await startChild(survivor.library, clients)
  expect(await survivor.sockets.hasRoom('raw', client('one more'))).toBe(false)

  child.kill('SIGKILL')
  await once(child, 'exit')
  await survivor.sockets.renew()
  expect(await survivor.sockets.hasRoom('raw', client('one more'))).toBe(false)
  await survivor.advance(15_000)
  await survivor.sockets.renew()

  expect(await survivor.sockets.take('raw', client('one more'), () => {})).not.toBeNull()
})

test('frees the places of a process that closes', async () => {
  const { one, two } = await openTwo()
  for (const name of clients) await one.sockets.take('raw', client(name), () => {})

  await one.close()

  expect(await two.sockets.hasRoom('raw', client('one more'))).toBe(true)
})

test('closes the older socket of a process that was paused, and not the newer one', async () => {
  const newer = await openProcess(url)
  const { child, replaced } = await startChild(newer.library, ['page', 'other'])
  const ofNewer: string[] = []

  child.kill('SIGSTOP')
  await newer.advance(15_000)
  await newer.sockets.renew()
  await newer.sockets.take('raw', client('page'), () => ofNewer.push('page'))
  child.kill('SIGCONT')

  await expect.poll(replaced).toEqual(['page'])
  expect(ofNewer).toEqual([])
})

test('asks for replaced sockets after a lease has expired, and takes the others again', async () => {
  const { one, two } = await openTwo()
  const replaced: string[] = []
  await one.sockets.take('raw', client('page'), () => replaced.push('page'))
  await one.sockets.take('raw', client('other'), () => replaced.push('other'))
  await one.advance(15_000)
  await two.sockets.renew()
  await two.sockets.take('raw', client('page'), () => replaced.push('newer'))

  await one.sockets.renew()
  await two.sockets.take('raw', client('other'), () => {})

  await expect.poll(() => replaced).toEqual(['page', 'other'])
})

test('leaves no keys of places behind if no process renews its lease', async () => {
  const process = await openProcess(url)
  await process.sockets.take('raw', client('page'), () => {})

  await process.advance(60_000)

  expect(await process.keys()).toEqual([])
})
