import { expect, test } from 'vitest'
import { walkEntries } from './walk-entries.ts'

/** Fakes a browser's entry of a dropped file. */
const fileEntry = (name: string, isReadable = true) =>
  ({
    name,
    isFile: true,
    isDirectory: false,
    file: (resolve: (file: File) => void, reject: (error: Error) => void) =>
      isReadable ? resolve(new File(['x'], name)) : reject(new Error('locked')),
  }) as unknown as FileSystemEntry

/** Fakes the entry of a dropped folder. Its reader returns two entries at a time. */
const folderEntry = (name: string, inside: FileSystemEntry[], isReadable = true) =>
  ({
    name,
    isFile: false,
    isDirectory: true,
    createReader: () => {
      const left = [...inside]
      return {
        readEntries: (
          resolve: (entries: FileSystemEntry[]) => void,
          reject: (error: Error) => void,
        ) => (isReadable ? resolve(left.splice(0, 2)) : reject(new Error('locked'))),
      }
    },
  }) as unknown as FileSystemEntry

async function walked(entries: FileSystemEntry[]): Promise<string[]> {
  const names: string[] = []
  for await (const lot of walkEntries(entries)) {
    for (const { name, folder, file } of lot) names.push(`${file ? '' : '!'}${folder}:${name}`)
  }
  return names
}

test('sorts files in natural order', async () => {
  const names = ['shot 10.png', 'Shot 2.png', 'shot 1.png']

  expect(await walked(names.map((name) => fileEntry(name)))).toEqual([
    ':shot 1.png',
    ':Shot 2.png',
    ':shot 10.png',
  ])
})

test('yields the files of a folder before those of its subfolders', async () => {
  const holiday = folderEntry('Holiday', [
    folderEntry('Day 2', [fileEntry('d.png')]),
    fileEntry('b.png'),
    folderEntry('Day 1', [fileEntry('c.png')]),
    fileEntry('a.png'),
  ])

  expect(await walked([holiday, fileEntry('alone.png')])).toEqual([
    ':alone.png',
    'Holiday:a.png',
    'Holiday:b.png',
    'Holiday/Day 1:c.png',
    'Holiday/Day 2:d.png',
  ])
})

test('reads a folder with many files completely', async () => {
  const files = Array.from({ length: 205 }, (_, index) => fileEntry(`${index}.png`))

  expect(await walked([folderEntry('Many', files)])).toHaveLength(205)
})

test('reports entries that cannot be opened and continues', async () => {
  const entries = [
    folderEntry('Locked', [], false),
    folderEntry('Open', [fileEntry('bad.png', false), fileEntry('good.png')]),
  ]

  expect(await walked(entries)).toEqual(['!:Locked', '!Open:bad.png', 'Open:good.png'])
})

test('ignores system files', async () => {
  const folder = folderEntry('Photos', [fileEntry('.DS_Store'), fileEntry('a.png')])

  expect(await walked([folder])).toEqual(['Photos:a.png'])
})
