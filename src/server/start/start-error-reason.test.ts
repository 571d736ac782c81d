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

test('names a full disk and a remedy', () => {
  const error = errorOf(() => writeFileSync('/dev/full', 'x'))

  expect(dataFolderReason(error)).toMatch(/^the disk is full\. Free some space.*--data\.$/)
})

test('names a place where no folder can be created', () => {
  const error = errorOf(() => mkdirSync('/dev/null/inside'))

  expect(dataFolderReason(error)).toBe('no folder can be made there. Choose another with --data.')
})

test('returns unknown errors unchanged', () => {
  expect(dataFolderReason(new Error('the disk is on fire'))).toBe('the disk is on fire')
})
