import { expect, test } from 'vitest'
import { noReasons } from '#server/core/exports/converted-export.ts'
import {
  countsOfConverted,
  countsOfOriginals,
  countsOfSheet,
  progressLine,
} from './export-lines.ts'

const reasons = (count: number) => ({ ...noReasons(), count })

test('counts files that are left out and those that failed separately', () => {
  const now = {
    ...{ found: 1_000, written: 90, known: 5, unconverted: reasons(4) },
    ...{ leftOut: reasons(3), failed: reasons(2) },
  }

  expect(progressLine(countsOfConverted(now), 10)).toBe(
    '100 of 1,000 · 5 already there · 3 left out · 2 failed · 2 min left',
  )
})

test('counts originals, and pictures that a sheet lacks', () => {
  const originals = { found: 8, copied: 2, linked: 1, known: 0, failed: 1, failures: [] }
  const sheet = { found: 4, drawn: 3, missing: reasons(1) }

  expect(progressLine(countsOfOriginals(originals), 0)).toBe('4 of 8 · 1 failed')
  expect(progressLine(countsOfSheet(sheet), 0)).toBe('3 of 4 · 1 failed')
})
