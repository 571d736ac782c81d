import { expect, test } from 'vitest'
import { foundFiles, namePasted } from './chosen-files.ts'

const picked = (path: string): File => {
  const file = new File(['x'], path.slice(path.lastIndexOf('/') + 1))
  return Object.defineProperty(file, 'webkitRelativePath', {
    value: path.includes('/') ? path : '',
  })
}

test('sorts the files of a picked folder and keeps their paths', () => {
  const paths = ['Trip/b/10.png', 'Trip/b/9.png', 'Trip/a.png', 'Trip/.DS_Store']
  const found = foundFiles(paths.map(picked))

  expect(found).toMatchObject([
    { folder: 'Trip', file: { name: 'a.png' } },
    { folder: 'Trip/b', file: { name: '9.png' } },
    { folder: 'Trip/b', file: { name: '10.png' } },
  ])
})

test('names a pasted image after the current time', () => {
  const file = new File(['x'], 'image.png', { type: 'image/png' })
  const named = namePasted(file, new Date(2026, 10, 21, 9, 5, 7))

  expect(named).toMatchObject({
    name: 'Pasted 2026-11-21 09.05.07.png',
    type: 'image/png',
    size: 1,
  })
})

test('keeps the name of a pasted file', () => {
  const file = new File(['x'], 'cat.png')

  expect(namePasted(file, new Date())).toBe(file)
})
