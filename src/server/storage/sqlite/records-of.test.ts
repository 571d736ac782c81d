import { expect, test } from 'vitest'
import { recordsOf } from '#server/storage/sql/records-of.ts'
import { remoteUnits } from '#server/storage/sql/remote-units.ts'
import { unitKinds } from '#server/storage/sql/units.ts'
import { everything } from '#testing/ports/new-image.ts'

const first = { offset: 0, limit: 100 }
/** Runs nothing, and returns which threads a method of the ports would use. */
const threadsOf = async (name: string, args: unknown[]): Promise<string[]> => {
  const used: string[] = []
  const unitsOf = (threads: string) =>
    remoteUnits(unitKinds, () => {
      used.push(threads)
      return Promise.reject(new Error('not run'))
    })
  const [subject = '', method = ''] = name.split('.')
  const records = recordsOf(unitsOf('quick'), unitsOf('long')) as unknown
  const methods = (records as Record<string, Record<string, (...args: unknown[]) => unknown>>)[
    subject
  ]
  await expect(methods?.[method]?.(...args)).rejects.toThrow('not run')
  return used
}

const names = (count: number) => Array.from({ length: count }, (_, at) => `${at}.png`)

test.each<[boolean, string, unknown[]]>([
  [false, 'images.get', ['a.png']],
  [false, 'images.page', [everything, first]],
  [false, 'images.page', [{ ...everything, searchTerm: '' }, first]],
  [true, 'images.page', [{ ...everything, searchTerm: 'sea' }, first]],
  [true, 'images.page', [{ ...everything, query: 'sea' }, first]],
  [true, 'images.page', [{ ...everything, categories: ['user'] }, first]],
  [true, 'images.page', [everything, { offset: 0, limit: -1 }]],
  [true, 'images.position', [{ ...everything, query: 'sea' }, 'a.png']],
  [true, 'images.days', [everything, 'UTC']],
  [true, 'images.names', [everything]],
  [true, 'images.namesOnBoard', [everything]],
  [true, 'images.archiveEntries', [{ boardId: 'none' }]],
  [true, 'queue.itemIds', ['default', 'ASC']],
  [false, 'images.listByNames', [names(100)]],
  [true, 'images.listByNames', [names(5000)]],
  // The server start compares all files with records in parts. It must not start the thread for long reads.
  [false, 'upkeep.allNames', [null, 5000]],
  [false, 'upkeep.unknownNames', [names(500)]],
])('uses the thread for long reads: %s, for %s of %j', async (isLong, method, args) => {
  expect(await threadsOf(method, args)).toEqual([isLong ? 'long' : 'quick'])
})
