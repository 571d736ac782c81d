import { expect, test } from 'vitest'
import { eventAddress } from './event-address.ts'

test.each([
  ['http://127.0.0.1:9091', 'http://127.0.0.1:9091', '/ws'],
  ['http://127.0.0.1:9091/', 'http://127.0.0.1:9091', '/ws'],
  ['https://home.example/gallery/', 'https://home.example', '/gallery/ws'],
])('places the events of %s at %s%s', (baseUrl, origin, pathname) => {
  expect(eventAddress(baseUrl, '/ws')).toEqual({ origin, pathname })
})
