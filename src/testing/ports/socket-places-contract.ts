import { expect, it } from 'vitest'
import { MAX_SOCKETS_PER_ADDRESS } from '#contract/events.ts'
import type { SocketPlaces } from '#server/core/events/socket-places.ts'

const at = (address: string, clientId: string | null = null) => ({ address, clientId })

/** Tests that every implementation of `SocketPlaces` must pass. `open` returns places that are all free. */
export const testSocketPlaces = (open: () => Promise<SocketPlaces>): void => {
  it('replaces the older socket of a client in each kind', async () => {
    const places = await open()
    const replaced: string[] = []
    const take = (kind: 'raw' | 'Socket.IO', name: string, client = at('here')) =>
      places.take(kind, client, () => replaced.push(name))

    await take('raw', 'first')
    await take('Socket.IO', 'script')
    await take('raw', 'named', at('here', 'page'))
    await take('raw', 'elsewhere', at('there'))
    await take('raw', 'second')
    await take('raw', 'page on its way', at('there', 'page'))

    await expect.poll(() => replaced).toEqual(['first', 'named'])
  })

  it('releases no place of the newer socket after a replacement', async () => {
    const places = await open()
    const replaced: string[] = []
    const leaveFirst = await places.take('raw', at('here'), () => replaced.push('first'))
    await places.take('raw', at('here'), () => replaced.push('second'))

    leaveFirst?.()
    await places.take('raw', at('here'), () => replaced.push('third'))

    await expect.poll(() => replaced).toContain('second')
  })

  it('limits the places of each address separately', async () => {
    const places = await open()
    const leaves: ((() => void) | null)[] = []
    for (let id = 0; id < MAX_SOCKETS_PER_ADDRESS; id += 1) {
      const kind = id % 2 ? 'raw' : 'Socket.IO'
      leaves.push(await places.take(kind, at('here', `client ${id}`), () => {}))
    }

    expect(await places.take('raw', at('here', 'one more'), () => {})).toBeNull()
    expect(await places.hasRoom('raw', at('here', 'one more'))).toBe(false)
    expect(await places.hasRoom('raw', at('here', 'client 1'))).toBe(true)
    expect(await places.hasRoom('raw', at('there', 'one more'))).toBe(true)
    expect(await places.take('raw', at('here', 'client 1'), () => {})).not.toBeNull()
    leaves[0]?.()
    expect(await places.hasRoom('raw', at('here', 'one more'))).toBe(true)
  })

  it('counts a place at the newest address of its client', async () => {
    const places = await open()
    for (let id = 0; id < MAX_SOCKETS_PER_ADDRESS; id += 1) {
      await places.take('raw', at('here', `client ${id}`), () => {})
    }

    await places.take('raw', at('there', 'client 1'), () => {})

    expect(await places.hasRoom('raw', at('here', 'one more'))).toBe(true)
  })

  it('admits no more than the limit at once', async () => {
    const places = await open()
    const taking = Array.from({ length: 20 }, (_, id) =>
      places.take('raw', at('here', `client ${id}`), () => {}),
    )

    const leaves = (await Promise.all(taking)).filter((leave) => leave !== null)

    expect(leaves).toHaveLength(MAX_SOCKETS_PER_ADDRESS)
  })
}
