import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dataFolderReason } from './start-error.ts'

const errorOf = (work: () => void): unknown => {
  try {
    work()
  } catch (error) {
    return error
  }
}

test('a full disk is named, with what to do about it', () => {
  const error = errorOf(() => writeFileSync('/dev/full', 'x'))

  expect(dataFolderReason(error)).toMatch(/^the disk is full\. Free some space.*--data\.$/)
})

test('a place that takes no folder is named', () => {
  const error = errorOf(() => mkdirSync('/dev/null/inside'))

  expect(dataFolderReason(error)).toBe('no folder can be made there. Choose another with --data.')
})

test('what is not known is said as it came', () => {
  expect(dataFolderReason(new Error('the disk is on fire'))).toBe('the disk is on fire')
})
