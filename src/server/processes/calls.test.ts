import { expect, test } from 'vitest'
import { Calls, type Handlers, type Message } from './calls.ts'

interface Methods {
  add(a: number, b: number): number
  fail(): void
  wait(): string
}

class CodedError extends Error {
  override readonly name = 'CodedError'
  readonly code = 'E_TEST'
}

const handlers: Handlers<Methods> = {
  add: ([a, b]) => a + b,
  fail: () => {
    throw new CodedError('failed')
  },
  wait: async (_, { signal, report }) => {
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
    await report(0.5)
    await aborted
    return 'aborted'
  },
}

/** Connects a caller with a process that answers. Messages are copied, as between processes. */
const connect = () => {
  const caller: Calls<Methods> = new Calls<Methods>(
    async (message: Message) => callee.receive(structuredClone(message)),
    {},
    ({ name, code, message }) => new Error(`${name} ${code}: ${message}`),
  )
  const callee = new Calls<object, Methods>(
    async (message: Message) => caller.receive(structuredClone(message)),
    handlers,
  )
  return caller
}

test('returns the value of a call', async () => {
  const caller = connect()
  expect(caller.hasAnswered).toBe(false)

  expect(await Promise.all([caller.call('add', 1, 2), caller.call('add', 3, 4)])).toEqual([3, 7])
  expect(caller).toMatchObject({ isIdle: true, hasAnswered: true })
})

test('restores an error with its name and code', async () => {
  await expect(connect().call('fail')).rejects.toThrow('CodedError E_TEST: failed')
})

test('passes progress on and aborts a call', async () => {
  const caller = connect()
  const progress: number[] = []
  const { answer, abort } = caller.start('wait', [], (share) => progress.push(share))
  expect(caller.isIdle).toBe(false)

  abort()

  expect(await answer).toBe('aborted')
  expect(progress).toEqual([0.5])
})

test('rejects open calls when the other process has ended', async () => {
  const caller = connect()
  const answer = caller.call('wait')

  caller.failAll(new Error('ended'))

  await expect(answer).rejects.toThrow('ended')
  expect(caller.isIdle).toBe(true)
})
