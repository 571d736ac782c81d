import { expect, test } from 'vitest'
import { testRequestLimits } from '#testing/ports/request-limits-contract.ts'
import { createSettableClock } from '#testing/settable-clock.ts'
import { LocalRequestLimits } from './request-limits.ts'

testRequestLimits(async () => {
  const clock = createSettableClock()
  return { limits: new LocalRequestLimits(clock), advance: clock.advance }
})

test('remembers ten thousand clients and forgets the least recent one', async () => {
  const limits = new LocalRequestLimits(createSettableClock())
  const policies = [{ name: 'default', max: 100, counts: true }] as const
  const used = async (client: string) =>
    (await limits.count({ client, page: null, policies })).quotas[0]?.used

  expect([await used('one'), await used('two'), await used('one')]).toEqual([1, 1, 2])
  for (let index = 0; index < 9_999; index++) await used(`other ${index}`)
  expect([await used('one'), await used('two')]).toEqual([3, 1])
})
