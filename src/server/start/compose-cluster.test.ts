import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { HelpRequest } from './flags.ts'
import { readSettings } from './settings.ts'

const readRoot = (name: string): string =>
  readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')

const text = readRoot('compose.cluster.yaml')
const { services } = parse(text) as {
  services: Record<string, { environment: Record<string, string | number> }>
}
const processes = Object.keys(services).filter((name) => name.startsWith('tessera-'))

/** Replaces `${NAME:?…}` as Docker does, with a value that fits everywhere. */
const withValues = (value: string | number): string =>
  String(value).replaceAll(/\$\{(\w+)[^}]*\}/g, 'abcdef0123456789')

const helpText = (): string => {
  try {
    readSettings(['--help'], '1.0.0')
  } catch (error) {
    if (error instanceof HelpRequest) return error.message
    throw error
  }
  throw new Error('--help prints no help.')
}

test('gives each process settings that the server accepts', () => {
  const environment = services['tessera-1']?.environment ?? {}
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, withValues(value))
  vi.stubEnv('TESSERA_HOST', '0.0.0.0') // as in the Dockerfile

  const settings = readSettings([], '1.0.0')

  vi.unstubAllEnvs()
  expect(settings).toMatchObject({
    databaseUrl: 'postgres://tessera:abcdef0123456789@postgres/tessera',
    redisUrl: 'redis://valkey:6379',
    trustedProxies: ['172.30.91.0/24'],
  })
  const names = Object.keys(environment).filter((name) => name.startsWith('TESSERA_'))
  const help = helpText()
  expect(names.filter((name) => !help.includes(name))).toEqual([])
})

test('names every variable of the proxy, and every process', () => {
  const config = readRoot('docs/proxy/haproxy.cfg')
  const variables = new Set([...config.matchAll(/"\$\{(\w+)\}"/g)].map(([, name]) => name))

  const { environment = {} } = services.proxy ?? {}

  expect(Object.keys(environment).sort()).toEqual([...variables].sort())
  const hosts = Object.values(environment).map((value) => String(value).split(':')[0])
  expect(hosts.filter(Boolean).sort()).toEqual(processes.sort())
})

test('asks for every secret, and names each in the example of its settings', () => {
  const example = new Set(
    [...readRoot('docs/proxy/cluster.env').matchAll(/^(\w+)=$/gm)].map(([, name]) => name),
  )

  const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name))
  const required = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name))

  expect([...used].sort()).toEqual([...example].sort())
  expect([...used].filter((name) => !required.has(name))).toEqual(['TESSERA_ALLOW_HOST'])
})
