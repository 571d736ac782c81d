import { expect, test } from 'vitest'
import { RequestOrigin } from './request-origin.ts'

test('names the origin during a request, and of each request separately', async () => {
  const origins = new RequestOrigin()
  const late = async () => {
    await Promise.resolve()
    return origins.current()
  }

  expect(await Promise.all([origins.run('a', late), origins.run('b', late)])).toEqual(['a', 'b'])
  expect(origins.current()).toBeNull()
})

test('names no origin for work that goes on after the request', async () => {
  const origins = new RequestOrigin()
  const answered = Promise.withResolvers<void>()
  let background = Promise.resolve<string | null>('not started')

  await origins.run('a', async () => {
    background = answered.promise.then(() => origins.current())
  })
  answered.resolve()

  expect(await background).toBeNull()
})
