import { expect, test } from 'vitest'
import type { Import } from '#client/index.ts'
import { withCutOff } from './cut-off-imports.ts'

const importOf = (import_id: string, more: Partial<Import> = {}): Import => ({
  import_id,
  folder: '/pictures',
  source: 'folder',
  boards: 'folders',
  board_name: null,
  link: false,
  watch: false,
  dry_run: false,
  state: 'running',
  error: null,
  found: 10,
  is_counted: true,
  taken_in: 4,
  linked: 0,
  known: 0,
  refused: 0,
  refusals: [],
  images_per_second: null,
  seconds_left: null,
  started_at: '2026-11-21 07:32:39.125',
  ended_at: null,
  ...more,
})

test('an import that a new server knows nothing of was cut off, and stays so', () => {
  const once = withCutOff([importOf('a')], [])
  const [told] = withCutOff(once, [importOf('b')]).filter(({ import_id }) => import_id === 'a')

  expect(once).toMatchObject([{ import_id: 'a', state: 'failed', taken_in: 4 }])
  expect(told).toEqual(once[0])
})

test('what the server tells of counts, and what had ended is forgotten with it', () => {
  const ended = importOf('old', { state: 'completed', ended_at: '2026-11-21 07:33:00.000' })
  const now = [importOf('a', { taken_in: 5 })]

  expect(withCutOff([importOf('a'), ended, importOf('look', { dry_run: true })], now)).toEqual(now)
})
