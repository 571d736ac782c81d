import type { NetworkInterfaceInfo } from 'node:os'
import { expect, test } from 'vitest'
import { phoneAddresses } from './phone-addresses.ts'

const at = (address: string, internal = false) =>
  ({ address, internal, family: 'IPv4' }) as NetworkInterfaceInfo

const interfaces = { lo: [at('127.0.0.1', true)], wlan: [at('192.168.1.5')], vpn: [at('10.8.0.2')] }

test('lists an address on every network for a wildcard host', () => {
  expect(phoneAddresses('http://localhost:9091', '0.0.0.0', interfaces)).toEqual([
    'http://192.168.1.5:9091',
    'http://10.8.0.2:9091',
  ])
})

test.each(['192.168.1.5', 'studio.local'])(
  'lists only the address %s of a server that listens on it',
  (host) => {
    const address = `http://${host}:9091`

    expect(phoneAddresses(address, host, interfaces)).toEqual([address])
  },
)

test('lists no address for a loopback host', () => {
  expect(phoneAddresses('http://127.0.0.1:9091', '127.0.0.1', interfaces)).toEqual([])
})
