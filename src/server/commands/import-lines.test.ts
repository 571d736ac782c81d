import { expect, test } from 'vitest'
import type { Import } from '#contract/import.ts'
import { progressLine, summaryLines } from './import-lines.ts'

const now = (own: Partial<Import>) =>
  ({
    state: 'running',
    dry_run: false,
    error: null,
    found: 10_000,
    is_counted: true,
    taken_in: 1_200,
    linked: 0,
    known: 0,
    refused: 0,
    refusals: [],
    images_per_second: null,
    seconds_left: null,
    ...own,
  }) as Import

test.each<[Partial<Import>, string]>([
  [{}, '1,200 of 10,000'],
  [{ is_counted: false }, '1,200 so far'],
  [{ images_per_second: 85.4, seconds_left: 103 }, '1,200 of 10,000 · 85 a second · 2 min left'],
  [
    { images_per_second: 8.54, known: 3, refused: 2 },
    '1,205 of 10,000 · 3 known · 2 refused · 8.5 a second',
  ],
  [{ seconds_left: 12_345 }, '1,200 of 10,000 · 3 h 26 min left'],
  [{ state: 'watching', seconds_left: 0 }, '1,200 of 10,000 · watching, Ctrl+C ends'],
])('describes %j as %s', (own, text) => {
  expect(progressLine(now(own))).toBe(text)
})

test('names the first twenty refusals and replaces control characters', () => {
  const refusal = {
    path: '/a/\u001b[2J\u202egpj.png',
    code: 'empty_file',
    reason: 'The file is empty.',
  }
  const refusals = Array.from({ length: 30 }, () => refusal)

  const lines = summaryLines(now({ refused: 1_234, refusals, linked: 7, left_out: 1 }))

  expect(lines.slice(0, 5)).toEqual([
    '  Imported            1,200 (7 as links)',
    '  Already there       0',
    '  Left out            1 intermediate image, hidden in InvokeAI too',
    '  Refused             1,234',
    '    /a/\ufffd[2J\ufffdgpj.png: The file is empty.',
  ])
  expect(lines).toHaveLength(25)
  expect(lines.at(-1)).toContain('1,214 more')
})

test('counts the files that are no images by extension, the most frequent first', () => {
  const lines = summaryLines(now({ left_files: { txt: 2, mp4: 1_300, '': 1 } }))

  expect(lines).toContain('  No images           1,300 mp4, 2 txt, 1 others')
})
