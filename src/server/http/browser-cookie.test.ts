import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { browserCookie } from './browser-cookie.ts'

const pageCookie = browserCookie('page')

/** Opens a process that sets the cookie and then answers with it. */
const openProcess = async () => {
  const app = Fastify()
  onTestFinished(() => app.close())
  await app.register(cookie)
  app.get('/', (request, reply) => {
    const value = pageCookie.get(request)
    if (value === undefined) pageCookie.set(request, reply, 'a')
    return reply.send(value ?? 'none')
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (host: string, cookies: Record<string, string> = {}) =>
    app.inject({ url: '/', headers: { host }, cookies })
}

test('is shared by the processes behind one address, and not by servers on other ports', async () => {
  const [one, other] = [await openProcess(), await openProcess()]

  const [set] = (await one('gallery.example:8443')).cookies
  expect(set).toMatchObject({ name: 'page_8443', value: 'a' })

  expect((await other('gallery.example:8443', { page_8443: 'a' })).body).toBe('a')
  expect((await other('gallery.example:9000', { page_8443: 'a' })).body).toBe('none')
  expect((await one('gallery.example')).cookies).toMatchObject([{ name: 'page_80' }])
})
