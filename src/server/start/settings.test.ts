import { resolve } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { HelpRequest } from './flags.ts'
import { readSettings } from './settings.ts'

const read = (...args: string[]) => readSettings(args, '1.2.3')

afterEach(() => vi.unstubAllEnvs())

test('uses the published defaults without flags', () => {
  expect(read()).toEqual({
    host: '127.0.0.1',
    port: 9091,
    dataFolder: resolve('tessera-data'),
    files: null,
    filesRedirect: false,
    rateLimit: { requestsPerMinute: 100, batchRequestsPerMinute: 10 },
    maxUploadBytes: 209_715_200,
    maxVideoBytes: 2_147_483_648,
    maxPixels: 200_000_000,
    databaseUrl: null,
    redisUrl: null,
    modelsFolder: null,
    modelMemoryBytes: null,
    playableCacheBytes: 5_368_709_120,
    backupEveryDays: 1,
    readOnly: false,
    logLevel: 'info',
    logFormat: 'text',
    drainSeconds: 0,
    token: null,
    allowedHosts: [],
    allowedOrigins: [],
    trustedProxies: [],
    basePath: '',
    upstream: null,
  })
})

test.each([
  ['--base-path', '/gallery/', { basePath: '/gallery' }],
  ['--rate-limit', 'off', { rateLimit: 'off' }],
  ['--rate-limit', '50,5', { rateLimit: { requestsPerMinute: 50, batchRequestsPerMinute: 5 } }],
  ['--max-upload', '1GiB', { maxUploadBytes: 1_073_741_824, maxVideoBytes: 1_073_741_824 }],
  ['--max-upload', '200MiB', { maxUploadBytes: 209_715_200, maxVideoBytes: 209_715_200 }],
  ['--max-pixels', '1_000_000', { maxPixels: 1_000_000 }],
  ['--models', import.meta.dirname, { modelsFolder: import.meta.dirname }],
  ['--model-memory', '2GiB', { modelMemoryBytes: 2_147_483_648 }],
  ['--playable-cache', '20GiB', { playableCacheBytes: 21_474_836_480 }],
  ['--playable-cache', '0', { playableCacheBytes: 0 }],
  ['--backup-every', '3', { backupEveryDays: 3 }],
  ['--backup-every', 'off', { backupEveryDays: null }],
  ['--log-format', 'json', { logFormat: 'json' }],
  ['--drain', '20', { drainSeconds: 20 }],
  ['--read-only', 'on', { readOnly: true }],
  ['--read-only', '0', { readOnly: false }],
  ['--port', '0', { port: 0 }],
  ['--token', 'secret', { token: 'secret' }],
  ['--allow-host', 'a.lan,b.lan', { allowedHosts: ['a.lan', 'b.lan'] }],
  ['--allow-origin', 'http://localhost:5173', { allowedOrigins: ['http://localhost:5173'] }],
])('reads %s %s as a flag and from the environment', (flag, value, settings) => {
  expect(read(flag, value)).toMatchObject(settings)

  vi.stubEnv(`TESSERA_${flag.slice(2).toUpperCase().replaceAll('-', '_')}`, value)
  expect(read()).toMatchObject(settings)
})

test('reads --database and --files as flags and from the environment', () => {
  const settings = { databaseUrl: 'postgres://a:b@c/d', files: 's3://a-bucket/x' }
  expect(read('--database', settings.databaseUrl, '--files', settings.files)).toMatchObject(
    settings,
  )

  vi.stubEnv('TESSERA_DATABASE', settings.databaseUrl)
  vi.stubEnv('TESSERA_FILES', settings.files)
  expect(read()).toMatchObject(settings)
})

test('reads --redis, and rejects it without --database', () => {
  const library = ['--database', 'postgres://a:b@c/d', '--files', 's3://a-bucket']
  expect(read(...library, '--redis', 'rediss://r:6380').redisUrl).toBe('rediss://r:6380')
  expect(() => read('--redis', 'redis://r')).toThrow(/^--redis needs --database:/)
  expect(() => read(...library, '--redis', 'http://u:secret@r')).toThrow(
    '--redis looks like redis://user:password@host:6379.',
  )
  expect(() => read(...library, '--redis', 'redis://r', '--token')).toThrow(
    '--token needs a value with --redis, so that all processes accept the same token.',
  )
})

test('reads --files-redirect, and rejects it without --files', () => {
  const library = ['--database', 'postgres://a:b@c/d', '--files', 's3://a-bucket']
  expect(read(...library, '--files-redirect').filesRedirect).toBe(true)
  expect(() => read('--files-redirect')).toThrow(/^--files-redirect needs --files:/)
})

test('rejects a token that nobody would see', () => {
  expect(() => read('--log-format', 'json', '--token')).toThrow(/^--log-format json prints no link/)
})

test('rejects --database without --files, and the other way round', () => {
  expect(() => read('--database', 'postgres://a:b@c/d')).toThrow(/^--database needs --files:/)
  expect(() => read('--files', 's3://a-bucket')).toThrow(/^--files needs --database:/)
})

test.each(['mysql://a:secret@b/c', 'secret', 'postgres:///secret', ''])(
  'rejects --database %j without printing it',
  (url) => {
    expect(() => read('--database', url, '--files', 's3://a-bucket')).toThrow(
      /^--database looks like postgres:\/\/user:password@host\/name\.$/,
    )
  },
)

test('prefers a flag over the environment', () => {
  vi.stubEnv('TESSERA_PORT', '1')

  expect(read('--port', '2').port).toBe(2)
})

test('collects repeated flags', () => {
  const settings = read('--allow-host', 'a', '--allow-host', 'b', '--trust-proxy', '10.0.0.1')

  expect(settings).toMatchObject({ allowedHosts: ['a', 'b'], trustedProxies: ['10.0.0.1'] })
})

test('ignores empty names', () => {
  vi.stubEnv('TESSERA_ALLOW_HOST', '')
  vi.stubEnv('TESSERA_TRUST_PROXY', ' 10.0.0.0/8, ,::1,')

  expect(read()).toMatchObject({ allowedHosts: [], trustedProxies: ['10.0.0.0/8', '::1'] })
})

test('generates a token if the flag has no value', () => {
  const { token } = read('--token')

  expect(token).toMatch(/^[\w-]{32}$/)
  expect(read('--token').token).not.toBe(token)
})

test('requires a token beyond loopback', () => {
  for (const host of ['0.0.0.0', '192.168.1.5', '::', 'gallery.lan']) {
    expect(() => read('--host', host)).toThrow(/add --token/)
    expect(read('--host', host, '--token').host).toBe(host)
  }
  for (const host of ['localhost', '127.0.0.2', '::1']) expect(read('--host', host).host).toBe(host)
})

test('requires 16 characters of a token beyond loopback', () => {
  expect(() => read('--host', '0.0.0.0', '--token', 'a'.repeat(15))).toThrow(/at least 16/)
  expect(read('--host', '0.0.0.0', '--token', 'a'.repeat(16)).token).toHaveLength(16)
  expect(read('--host', '127.0.0.1', '--token', 'a').token).toBe('a')
})

test.each([
  ['--port', 'x'],
  ['--port', '70000'],
  ['--rate-limit', '100'],
  ['--rate-limit', '0,0'],
  ['--max-upload', 'much'],
  ['--max-pixels', '0'],
  ['--models', '/nowhere'],
  ['--models', import.meta.filename],
  ['--models', ''],
  ['--model-memory', '0'],
  ['--log-level', 'loud'],
  ['--token', ''],
  ['--data', ''],
  ['--trust-proxy', 'proxy.lan'],
  ['--trust-proxy', '10.0.0.0/99'],
  ['--nonsense', ''],
  ['extra', ''],
])('rejects %s %j in one line', (flag, value) => {
  expect(() => read(flag, value)).toThrow(
    expect.objectContaining({ exitCode: 2, message: expect.stringMatching(/^[^\n]{10,400}$/) }),
  )
})

test('throws the text for help and version', () => {
  expect(() => read('--version')).toThrow(new HelpRequest('1.2.3\n'))
  expect(() => read('--help')).toThrow(/--max-upload <size> .*200 MiB.*TESSERA_MAX_UPLOAD/s)
})
