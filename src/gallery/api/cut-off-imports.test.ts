import { expect, test } from 'vitest'
import { importOf } from '#testing/import-of.ts'
import { withCutOff } from './cut-off-imports.ts'

test('an import that a new server knows nothing of was cut off, and stays so', () => {
  const once = withCutOff([importOf({ import_id: 'a' })], [])
  const [told] = withCutOff(once, [importOf({ import_id: 'b' })]).filter(
    ({ import_id }) => import_id === 'a',
  )

  expect(once).toMatchObject([{ import_id: 'a', state: 'failed', taken_in: 1204 }])
  expect(told).toEqual(once[0])
})

test('what the server tells of counts, and what had ended is forgotten with it', () => {
  const ended = importOf({
    import_id: 'old',
    state: 'completed',
    ended_at: '2026-11-21 07:33:00.000',
  })
  const now = [importOf({ import_id: 'a', taken_in: 1300 })]

  expect(
    withCutOff(
      [importOf({ import_id: 'a' }), ended, importOf({ import_id: 'look', dry_run: true })],
      now,
    ),
  ).toEqual(now)
})
