import { testEventBus } from '#testing/ports/event-bus-contract.ts'
import { LocalBus } from './event-bus.ts'

testEventBus(async () => {
  const failures: unknown[] = []
  return { bus: new LocalBus((error) => failures.push(error)), failures }
})
