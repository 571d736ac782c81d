import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { readImportSettings } from './import-settings.ts'

const folder = import.meta.dirname

const read = (...args: string[]) => readImportSettings([folder, ...args])

test('creates boards from folders without flags', () => {
  const { request } = read()

  expect(request).toEqual({ folder, boards: 'folders', link: false, watch: false, dry_run: false })
})

test.each([
  [['--boards', 'none'], { boards: 'none' }],
  [['--boards', 'Old pictures'], { boards: 'one', board_name: 'Old pictures' }],
  [['--board', 'none'], { boards: 'one', board_name: 'none' }],
  [['--link', '--watch'], { link: true, watch: true }],
  [['--dry-run'], { dry_run: true }],
])('parses %j', (args, request) => {
  expect(read(...args).request).toMatchObject(request)
})

test('resolves a folder from the current directory', () => {
  const settings = readImportSettings(['.', '--data', 'there'])

  expect(settings.request.folder).toBe(process.cwd())
  expect(dirname(settings.dataFolder)).toBe(process.cwd())
})

test.each([
  [[], /missing required argument 'folder'/],
  [['/no/such/folder'], /There is no folder \/no\/such\/folder/],
  [[import.meta.filename], /is a file, not a folder/],
  [[`/tmp/${'x'.repeat(300)}`], /cannot be read/],
  [[folder, '--boards', 'A', '--board', 'B'], /cannot be combined/],
  [[folder, '--board', ' '], /needs a name/],
  [[folder, '--dry-run', '--watch'], /cannot be combined/],
  [[folder, folder], /too many arguments/],
  [[folder, '--nonsense'], /unknown option '--nonsense'/],
])('rejects %j', (args, said) => {
  expect(() => readImportSettings(args)).toThrow(
    expect.objectContaining({ exitCode: 2, message: expect.stringMatching(said) }),
  )
})

test('explains originals and exit codes in the help', () => {
  expect(() => read('--help')).toThrow(/Originals are never changed[\s\S]*Exit codes/)
})
