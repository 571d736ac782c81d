import { expect, test } from 'vitest'
import { importOf } from '#testing/import-of.ts'
import { importsShown } from './imports-shown.ts'

const idsOf = (imports: readonly { import_id: string }[]) =>
  imports.map(({ import_id }) => import_id)

test('what goes on is shown, and of what has ended the newest that nobody closed', () => {
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

  expect(idsOf(importsShown(imports, ['e4', 'w', 'i2']))).toEqual([
    'e5',
    'e3',
    'e2',
    'w',
    'p',
    'i1',
  ])
})
