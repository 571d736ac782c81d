import { expect, test } from 'vitest'
import { ReadinessService } from './readiness.ts'

/** A server behind the process whose answer a test gives. */
const pendingProbe = (name: string) => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let asked = 0
  const check = () => {
    asked += 1
    return promise
  }
  return { name, check, resolve, reject, timesAsked: () => asked }
}

const open = (probes: readonly { name: string; check(): Promise<unknown> }[], longestMs = 20) => {
  const changes: [string, string | null][] = []
  const onChange = (name: string, error: Error | null) => {
    changes.push([name, error?.message ?? null])
  }
  return { readiness: new ReadinessService(probes, { onChange, longestMs }), changes }
}

test('is ready if every server answers', async () => {
  const { readiness } = open([
    { name: 'database', check: async () => {} },
    { name: 'redis', check: async () => {} },
  ])

  const { status, checks } = await readiness.check()

  expect(status).toBe('ready')
  expect(checks.map(({ name }) => name)).toEqual(['database', 'redis'])
})

test('answers in time while a server is silent, and asks it only once', async () => {
  const silent = pendingProbe('files')
  const { readiness, changes } = open([silent, { name: 'database', check: async () => {} }])

  const answers = [await readiness.check(), await readiness.check()]

  for (const { status, checks } of answers) {
    expect(status).toBe('not_ready')
    expect(checks).toMatchObject([
      { name: 'files', status: 'no_answer' },
      { name: 'database', status: 'ok' },
    ])
  }
  expect(silent.timesAsked()).toBe(1)
  expect(changes).toEqual([['files', 'No answer within 20 ms']])
})

test('reports a failure and its end once each', async () => {
  let isAway = true
  const check = async () => {
    if (isAway) throw new Error('Connection refused')
  }
  const { readiness, changes } = open([{ name: 'redis', check }])

  const away = await readiness.check()
  await readiness.check()
  isAway = false
  const back = await readiness.check()
  await readiness.check()

  expect(away).toMatchObject({ status: 'not_ready', checks: [{ status: 'failed' }] })
  expect(back.status).toBe('ready')
  expect(changes).toEqual([
    ['redis', 'Connection refused'],
    ['redis', null],
  ])
})

test('is not ready while the server stops', async () => {
  const { readiness } = open([{ name: 'database', check: async () => {} }])

  readiness.stop()

  expect((await readiness.check()).status).toBe('stopping')
})
