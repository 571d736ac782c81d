import fc from 'fast-check'
import { expect, test } from 'vitest'
import { upstreamPath } from './upstream-path.ts'

test.each([
  '/api/v1/boards/',
  '/api/v1/boards/?all=true&board_name=%C3%9Cber%20%2F..%5C',
  '/api/v1/images/i/0b1c.png/full',
  '/api/v2/models/get_by_attrs?name=a%3Ab&type=[main]|"x"',
  '/api/v1/images/i/what%20a%20name%C3%A9.png',
  '/api/v1/images/i/...png',
  '/api/v1/images/i/a..b',
  '/ws/socket.io/?EIO=4&transport=polling&t=abc.0',
  '/ws/socket.io?EIO=4',
  '/openapi.json',
])('forwards %s unchanged', (target) => {
  expect(upstreamPath(target)).toBe(target)
})

test.each([
  [
    'a path outside of the API',
    ['/', '/index.html', '/openapi.jsonx', '/openapi', '/ws', '/wsx', '/docs'],
  ],
  [
    'a path that only resembles the API',
    ['/apix', '/api', '/API/v1/boards/', '/%61pi/v1/boards/', 'api/v1'],
  ],
  [
    'another path of Socket.IO',
    ['/ws/socket.io/x', '/ws/socket.io/..', '/ws/socket%2eio/', '/ws/'],
  ],
  ['an absolute URL', ['http://evil.example/api/v1', 'https:/api/', '//evil.example/api/', '*']],
  ['a path with dot segments', ['/api/..', '/api/../x', '/api/v1/./x', '/api/.', '/api/x/..;/y']],
  [
    'escaped dot segments',
    ['/api/%2e%2e/x', '/api/.%2E/x', '/api/%252e%252e/x', '/api/%25252e%25252e/'],
  ],
  [
    'dots of other scripts',
    ['/api/%EF%BC%8E%EF%BC%8E/x', '/api/%E2%80%A5/x', '/api/%E2%80%A4%E2%80%A4/x'],
  ],
  [
    'escaped slashes',
    ['/api/a%2fb', '/api/a%5cb', '/api/a%252fb', '/api/a%EF%BC%8Fb', '/api//b', '/api/%2F/b'],
  ],
  [
    'invalid characters',
    ['/api/a\\b', '/api/a b', '/api/a#b', '/api/é', '/api/a?b#c', '/api/a?b c', '/api/<x>'],
  ],
  [
    'control characters',
    ['/api/a%00', '/api/a%0d%0ahost:x', '/api/a\tb', '/api/a\r\nb', '/api/%250a', '/api/%7f'],
  ],
  [
    'invalid escapes',
    ['/api/%', '/api/%zz', '/api/%ff', '/api/%c0%ae%c0%ae/', '/api/x?a=%', '/api/100%25'],
  ],
])('does not forward %s', (_what, targets) => {
  for (const target of targets) expect(upstreamPath(target), target).toBeNull()
})

/** Fragments of random request targets. */
const pieces = [
  ...[
    '/',
    '//',
    '.',
    '..',
    '...',
    '\\',
    '@',
    ':',
    ';',
    '?',
    '#',
    '*',
    '%',
    'a',
    'api',
    'ws',
    'v1',
    'socket.io',
  ],
  ...[
    'http://evil.example',
    '%2e',
    '%2E',
    '%2f',
    '%5c',
    '%25',
    '%00',
    '%0d%0a',
    '%09',
    '%20',
    '%ff',
    '%c0%ae',
  ],
  ...[
    '%EF%BC%8E',
    '%EF%BC%8F',
    '%E2%80%A4',
    '%E2%80%A5',
    '%E3%80%82',
    '\uff0e',
    '\r\n',
    '\t',
    ' ',
    '\u0000',
  ],
]

test('forwards only targets below the API that every URL parser reads the same way', () => {
  const start = fc.constantFrom('/api/', '/api', '/ws/socket.io', '/ws/socket.io/', '/', '', '//')
  const rest = fc.array(fc.constantFrom(...pieces), { maxLength: 8 })
  let passedOn = 0

  fc.assert(
    fc.property(start, rest, (head, tail) => {
      const target = upstreamPath(head + tail.join(''))
      if (target === null) return
      passedOn++
      const read = new URL(target, 'http://invoke.test')
      expect(read.href).toBe(`http://invoke.test${target}`) // the parser neither drops nor normalizes anything
      expect(read.pathname).toMatch(/^\/(?:api\/|ws\/socket\.io\/?$)/)
      expect(decodeURIComponent(read.pathname).split('/').includes('..')).toBe(false)
    }),
    { numRuns: 5_000 },
  )
  expect(passedOn).toBeGreaterThan(100)
})
