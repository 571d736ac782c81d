import { expect, test } from 'vitest'
import { capabilitiesOf } from './capabilities-of.ts'

const OF_ONE_PROCESS = ['imports', 'playable_copies', 'resumable_uploads']

test('offers what lies on the disk of one process only without other processes', () => {
  const alone = capabilitiesOf({ dataFolder: '/data' }).extensions
  const shared = capabilitiesOf({ dataFolder: '/data', redisUrl: 'redis://host' }).extensions

  expect(alone.filter((name) => !shared.includes(name))).toEqual(OF_ONE_PROCESS)
})
