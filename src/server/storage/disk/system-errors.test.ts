import { open } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { ignoreMissing, systemCode, writeFailure } from './system-errors.ts'

const systemError = (code: string) => Object.assign(new Error(code), { code })

test.each(['ENOSPC', 'EDQUOT'])('reports %s as a full disk', (code) => {
  expect(writeFailure(systemError(code))).toMatchObject({ code: 'disk_full' })
})

test('reports EIO as a disk error', () => {
  expect(writeFailure(systemError('EIO'))).toMatchObject({ code: 'disk_error' })
})

test('returns any other error unchanged', () => {
  const error = systemError('EACCES')

  expect(writeFailure(error)).toBe(error)
  expect(() => ignoreMissing(error)).toThrow(error)
})

test('reads the code of a real system error', async () => {
  const error = await open('/nowhere/at/all').catch((reason: unknown) => reason)

  expect(systemCode(error)).toBe('ENOENT')
  expect(() => ignoreMissing(error)).not.toThrow()
})
