import { afterEach, expect, test, vi } from 'vitest'
import { readSettings } from './settings.ts'

const read = (...args: string[]) => readSettings(args, '1.2.3')
const upstream = 'http://127.0.0.1:9090'

afterEach(() => vi.unstubAllEnvs())

test.each([
  ['http://127.0.0.1:9090', upstream],
  ['http://127.0.0.1:9090/', upstream],
  ['HTTP://Invoke.Lan', 'http://invoke.lan'],
  ['https://invoke.lan:443', 'https://invoke.lan'],
  ['http://[::1]:9090', 'http://[::1]:9090'],
])('reads --upstream %s as a flag and from the environment', (given, origin) => {
  expect(read('--upstream', given).upstream).toBe(origin)

  vi.stubEnv('TESSERA_UPSTREAM', given)
  expect(read().upstream).toBe(origin)
})

test.each([
  ['127.0.0.1:9090', /begins with http/],
  ['localhost:9090', /begins with http/],
  ['ftp://invoke.lan', /begins with http/],
  ['http:///boards', /begins with http/],
  ['', /begins with http/],
  ['http://invoke lan', /such as a browser takes/],
  ['http://invoke.lan:99999', /such as a browser takes/],
  ['http://a\\b', /such as a browser takes/],
  ['http://me:secret@invoke.lan', /no name and password/],
  ['http://@invoke.lan', /no name and password/],
  ['http://invoke.lan/ui', /no path/],
  ['http://invoke.lan/?a=b', /no "\?"/],
  ['http://invoke.lan/#', /no "\?"/],
  ['http://invoke.lan:0', /port/],
])('rejects --upstream %j in one line', (given, reason) => {
  const refused = { exitCode: 2, message: expect.stringMatching(/^[^\n]{10,200}$/) }

  expect(() => read('--upstream', given)).toThrow(expect.objectContaining(refused))
  expect(() => read('--upstream', given)).toThrow(reason)
})

test.each([
  ['--data', './pictures'],
  ['--max-upload', '1GiB'],
  ['--max-pixels', '1000'],
  ['--models', import.meta.dirname],
  ['--model-memory', '1GiB'],
])('rejects %s with --upstream', (flag, value) => {
  expect(() => read('--upstream', upstream, flag, value)).toThrow(`${flag} cannot be together with`)
})

test('ignores library settings of the environment', () => {
  vi.stubEnv('TESSERA_DATA', '/pictures')

  expect(read('--upstream', upstream).upstream).toBe(upstream)
})

test('applies limits to an upstream only on request', () => {
  const limits = { requestsPerMinute: 50, batchRequestsPerMinute: 5 }

  expect(read('--upstream', upstream).rateLimit).toBe('off')
  expect(read('--upstream', upstream, '--rate-limit', '50,5').rateLimit).toEqual(limits)
  vi.stubEnv('TESSERA_RATE_LIMIT', '50,5')
  expect(read('--upstream', upstream).rateLimit).toEqual(limits)
})
