import { expect, test } from 'vitest'
import { importOf } from '#testing/library/import-of.ts'
import { visibleImports } from './visible-imports.ts'

const idsOf = (imports: readonly { import_id: string }[]) =>
  imports.map(({ import_id }) => import_id)

test('shows active imports and the newest finished ones that are not closed', () => {
  const imports = [
    importOf({ import_id: 'look', dry_run: true }),
    importOf({ import_id: 'e5', state: 'completed' }),
    importOf({ import_id: 'e4', state: 'failed' }),
    importOf({ import_id: 'e3', state: 'canceled' }),
    importOf({ import_id: 'e2', state: 'completed' }),
    importOf({ import_id: 'e1', state: 'completed' }),
    importOf({ import_id: 'w', state: 'watching' }),
    importOf({ import_id: 'p', state: 'paused' }),
    importOf({ import_id: 'i2', state: 'interrupted' }),
    importOf({ import_id: 'i1', state: 'interrupted' }),
  ]

  const cards = {
    e5: 'started',
    e4: 'closed',
    e3: 'seen',
    e2: 'started',
    e1: 'started',
    w: 'closed',
    i2: 'closed',
  } as const
  expect(idsOf(visibleImports(imports, cards))).toEqual(['e5', 'e3', 'e2', 'w', 'p', 'i1'])
})

test('hides a finished import that this browser neither started nor showed', () => {
  const imports = [
    importOf({ import_id: 'completed', state: 'completed' }),
    importOf({ import_id: 'failed', state: 'failed' }),
    importOf({ import_id: 'running', state: 'running' }),
    importOf({ import_id: 'interrupted', state: 'interrupted' }),
  ]

  expect(idsOf(visibleImports(imports, {}))).toEqual(['running', 'interrupted'])
})
