import { expect, test } from 'vitest'
import { MAX_SOCKETS_PER_ADDRESS } from '#contract/events.ts'
import { SocketPlaces } from './socket-places.ts'

const at = (address: string, clientId: string | null = null) => ({ address, clientId })

test('replaces the older socket of a client in each kind', () => {
  const places = new SocketPlaces()
  const replaced: string[] = []
  const take = (kind: string, name: string, caller = at('here')) =>
    places.take(kind, caller, () => replaced.push(name))

  take('raw', 'first')
  take('Socket.IO', 'script')
  take('raw', 'named', at('here', 'page'))
  take('raw', 'elsewhere', at('there'))
  expect(replaced).toEqual([])

  take('raw', 'second')
  take('raw', 'page on its way', at('there', 'page'))
  expect(replaced).toEqual(['first', 'named'])
})

test('releases no place of the newer socket after a replacement', () => {
  const places = new SocketPlaces()
  const replaced: string[] = []
  const leaveFirst = places.take('raw', at('here'), () => replaced.push('first'))
  places.take('raw', at('here'), () => replaced.push('second'))

  leaveFirst?.()
  places.take('raw', at('here'), () => replaced.push('third'))

  expect(replaced).toEqual(['first', 'second'])
})

test('limits the places of each address separately', () => {
  const places = new SocketPlaces()
  const leaves = Array.from({ length: MAX_SOCKETS_PER_ADDRESS }, (_, id) =>
    places.take(id % 2 ? 'raw' : 'Socket.IO', at('here', `client ${id}`), () => {}),
  )

  expect(places.take('raw', at('here', 'one more'), () => {})).toBeNull()
  expect(places.hasRoom('raw', at('here', 'client 1'))).toBe(true)
  expect(places.hasRoom('raw', at('there', 'one more'))).toBe(true)
  leaves[0]?.()
  expect(places.hasRoom('raw', at('here', 'one more'))).toBe(true)
})
