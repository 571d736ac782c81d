import { expect, it } from 'vitest'
import type { BusMessage, EventBus } from '#server/core/events/event-bus.ts'

interface OpenBus {
  bus: EventBus
  /** Errors of listeners. */
  failures: unknown[]
}

const stopped = (id: number): BusMessage => ({ kind: 'items_stopped', itemIds: [id] })

/** Tests that every implementation of `EventBus` must pass. */
export const testEventBus = (open: () => Promise<OpenBus>): void => {
  it('delivers every message once and in order, also a large one', async () => {
    const { bus } = await open()
    const heard: BusMessage[] = []
    bus.listen((message) => heard.push(message))
    const large: BusMessage = {
      kind: 'event',
      event: {
        event: 'queue_cleared',
        data: { timestamp: 1, queue_id: 'ö'.repeat(500_000), user_id: null },
      },
    }

    const sent = [stopped(1), large, { kind: 'queue_changed' } as const, stopped(2)]
    for (const message of sent) bus.publish(message)

    await expect.poll(() => heard).toHaveLength(4)
    expect(heard).toEqual(sent)
  })

  it('calls each added listener until it is removed', async () => {
    const { bus } = await open()
    const heard: string[] = []
    const stopFirst = bus.listen(() => heard.push('first'))
    bus.listen(() => heard.push('second'))

    stopFirst()
    bus.publish(stopped(1))

    await expect.poll(() => heard).toContain('second')
    expect(heard).toEqual(['second'])
  })

  it('reports a listener that throws, and still calls the others', async () => {
    const { bus, failures } = await open()
    const fault = new Error('No.')
    const heard: BusMessage[] = []
    bus.listen(() => {
      throw fault
    })
    bus.listen((message) => heard.push(message))

    bus.publish(stopped(1))

    await expect.poll(() => heard).toEqual([stopped(1)])
    expect(failures).toEqual([fault])
  })

  it('is connected after it was opened', async () => {
    const { bus } = await open()

    expect(bus.isConnected).toBe(true)
  })
}
