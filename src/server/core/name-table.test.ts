import { v4, v7 } from 'uuid'
import { expect, test } from 'vitest'
import { isImageName, NameTable, timeOfName } from './name-table.ts'

test('finds every name in the folder of its last two digits', () => {
  const names = Array.from({ length: 2000 }, (_, index) =>
    index % 2 === 0 ? `${v7()}.png` : `${v4()}.avif`,
  )
  const table = new NameTable()
  for (const name of names) table.add(name)

  const folders = new Set(names.map((name) => name.slice(34, 36)))
  const found = [...folders].flatMap((folder) => [...table.namesIn(folder)])

  expect(found.toSorted()).toEqual(names.toSorted())
})

test('reads the time only from version 7 names', () => {
  expect(timeOfName(`${v7({ msecs: 1_700_000_000_000 })}.png`)).toBe(1_700_000_000_000)
  expect(timeOfName(`${v4()}.png`)).toBeNaN()
})

test.each([
  [`${v4()}.png`, true],
  [`${v7()}.jpg`, true],
  [`${v7()}.bmp`, true],
  [`../${v4()}.png`, false],
  [`${v4()}.png/..`, false],
  [`${v4()}.png\n`, false],
  [`${v4()}.PNG`, false],
  [`${v4().toUpperCase()}.png`, false],
  [`${v4()}.exe`, false],
  ['cat.png', false],
  ['', false],
])('accepts %j as an image name: %s', (name, expected) => {
  expect(isImageName(name)).toBe(expected)
})

test('holds many names in one folder', () => {
  const table = new NameTable()
  for (let index = 0; index < 3000; index++) table.add(`${v7().slice(0, 34)}ab.png`)

  expect([...table.namesIn('ab')]).toHaveLength(3000)
  expect([...table.namesIn('cd')]).toEqual([])
})

test('ignores invalid image names', () => {
  const table = new NameTable()
  table.add('cat.png')

  expect([...table.namesIn('ng')]).toEqual([])
})
