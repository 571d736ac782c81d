import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type RunningUpstreamServer,
  startUpstreamServer,
} from '#testing/server/start-upstream-server.ts'
import { startFakeUpstream } from './fake-upstream.ts'
import { certificate, certificateKey } from './test-certificate.ts'

const usual = getCACertificates('default')
let upstream: Server
let port: number
let gallery: RunningUpstreamServer
beforeEach(async () => {
  upstream = createServer({ cert: certificate, key: certificateKey }, (request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ version: '6.14.0', host: request.headers.host }))
  })
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  port = (upstream.address() as AddressInfo).port
})
afterEach(async () => {
  setDefaultCACertificates(usual)
  await gallery.close()
  upstream.close()
})

const open = async (address: string) => {
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  gallery = await startUpstreamServer(address, { resolve })
}

const status = () => gallery.client.server.upstream()

test('connects to an HTTPS upstream with a known certificate authority', async () => {
  setDefaultCACertificates([...usual, certificate])
  await open(`https://invoke.test:${port}`)

  expect(await status()).toMatchObject({ state: 'up', address: `https://invoke.test:${port}` })
  const answer = await fetch(`${gallery.url}/api/v1/x`)
  expect(await answer.json()).toMatchObject({ host: `invoke.test:${port}` })
})

test('rejects an untrusted certificate and explains the options', async () => {
  await open(`https://invoke.test:${port}`)

  expect(await status()).toMatchObject({
    state: 'down',
    detail: expect.stringMatching(/certificate is not trusted.*NODE_EXTRA_CA_CERTS/),
  })
})

test('rejects a certificate of another name', async () => {
  setDefaultCACertificates([...usual, certificate])
  await open(`https://other.test:${port}`)

  expect((await status())?.detail).toContain('certificate is not trusted')
})

test('reports that the upstream does not support HTTPS', async () => {
  const plain = await startFakeUpstream((_request, response) => response.end())
  await open(`https://invoke.test:${plain.port}`)

  expect((await status())?.detail).toContain('does not speak https')
  await plain.kill()
})

test('reports that the upstream requires HTTPS', async () => {
  await open(`http://invoke.test:${port}`)

  expect((await status())?.detail).toMatch(/hung up|not HTTP/)
})
