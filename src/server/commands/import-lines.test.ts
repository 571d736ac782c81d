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
    '  Imported            1,200 images (7 as links)',
    '  Already there       0',
    '  Left out            1 intermediate file, hidden in InvokeAI too',
    '  Refused             1,234',
    '    /a/\ufffd[2J\ufffdgpj.png: The file is empty.',
  ])
  expect(lines).toHaveLength(25)
  expect(lines.at(-1)).toContain('1,214 more')
})

test.each<[Record<string, number>, string]>([
  [{ txt: 3, safetensors: 1 }, '3 .txt, 1 .safetensors'],
  [{ txt: 2, avi: 1_300, '': 1 }, '1,300 .avi, 2 .txt, and 1 more'],
  [{ a: 9, b: 8, c: 7, d: 6, e: 5, f: 4, '': 2 }, '9 .a, 8 .b, 7 .c, 6 .d, 5 .e, and 6 more'],
  [{ '': 2 }, '2 files'],
])('counts the left files %j as %s', (left_files, text) => {
  expect(summaryLines(now({ left_files }))).toContain(`  Left out            ${text}`)
})

test.each<[Partial<Import>, string]>([
  [{ taken_in: 12 }, '12 images'],
  [{ taken_in: 15, videos: 3 }, '12 images and 3 videos'],
  [{ taken_in: 1, videos: 1, linked: 1 }, '1 video (1 as links)'],
  [{ taken_in: 0, videos: 0 }, '0 images'],
])('counts imported images and videos %j as %s', (own, text) => {
  expect(summaryLines(now(own))).toContain(`  Imported            ${text}`)
})
