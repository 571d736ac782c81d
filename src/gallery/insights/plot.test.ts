import { expect, test } from 'vitest'
import { csvOf } from './plot.ts'

const value = (label: string, count: number, bytes?: number) => ({
  ...{ id: label, label, count, condition: '' },
  ...(bytes !== undefined && { bytes }),
})

test('writes a file for spreadsheets', () => {
  expect(csvOf('Model', [value('flux, "dev"', 12), value('SDXL', 3)])).toBe(
    '\uFEFFModel,Images\r\n"flux, ""dev""",12\r\nSDXL,3\r\n',
  )
  expect(csvOf('Board', [value('Best of', 2, 2048)])).toBe(
    '\uFEFFBoard,Images,Bytes\r\nBest of,2,2048\r\n',
  )
})
