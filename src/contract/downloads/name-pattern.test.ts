import { array, assert, constantFrom, integer, property, record, string } from 'fast-check'
import { expect, test } from 'vitest'
import { generatorIds } from '#contract/generators.ts'
import {
  extensionOfItem,
  FileNamer,
  type NamedItem,
  nameFieldIds,
  PLAIN_NAMES,
  parseNamePattern,
} from './name-pattern.ts'
import { isPlainName, sameNameKey } from './safe-file-name.ts'

const castle: NamedItem = {
  image_name: '018f.png',
  file_name: 'castle.png',
  media_type: 'image/png',
  board_name: 'Clients/Acme',
  dated_at: Date.UTC(2026, 4, 31, 22, 30, 5),
  ...{ width: 1024, height: 768, rating: 4, generator: 'comfyui' },
  ...{ model: 'flux1-dev', sampler: 'euler', seed: '42', steps: 20, cfg: 6.5 },
}

const nothing: NamedItem = {
  ...castle,
  ...{ file_name: null, board_name: null, generator: null },
  ...{ model: null, sampler: null, seed: null, steps: null, cfg: null },
}

const namesOf = (text: string, items: readonly NamedItem[], extension = 'png') => {
  const { pattern, fault } = parseNamePattern(text)
  if (fault !== null) throw new Error(fault.message)
  const namer = new FileNamer(pattern, { count: items.length, timeZone: 'Europe/Berlin' })
  return items.map((item) => namer.next(item, extension))
}

test.each([
  [PLAIN_NAMES, 'castle.png'],
  ['{board}/{date}_{model}_{seed}_{name}', 'Clients/Acme/2026-06-01_flux1-dev_42_castle.png'],
  ['{board}_{name}', 'Clients_Acme_castle.png'],
  ['{year}/{month}/{day}/{time}', '2026/06/01/00-30-05.png'],
  ['{generator} {sampler} {steps} {cfg} {width}x{height}', 'ComfyUI euler 20 6.5 1024x768.png'],
  ['{ Name }.png', 'castle.png'],
  ['{id}', '018f.png'],
  ['../{name}', 'folder/castle.png'],
  ['CON/{name}: a?', '_CON/castle_ a_.png'],
])('names an image by %j', (pattern, name) => {
  expect(namesOf(pattern, [castle])).toEqual([name])
})

test('says what an image does not have', () => {
  expect(namesOf('{board} {name} {model} {seed} {generator}', [nothing])).toEqual([
    'Assets 018f no model no seed no generator.png',
  ])
})

test('counts with as many digits as the last number has', () => {
  const names = namesOf('{index}', Array<NamedItem>(10).fill(castle))

  expect([names[0], names[9]]).toEqual(['01.png', '10.png'])
})

test('numbers equal names, also if they differ only in case', () => {
  const upper = { ...castle, file_name: 'CASTLE.png' }

  expect(namesOf('{name}', [castle, upper, castle])).toEqual([
    'castle.png',
    'CASTLE (2).png',
    'castle (3).png',
  ])
})

test('gives no file the name of a folder', () => {
  const file = { ...castle, board_name: 'A', file_name: 'x.png' }
  const inside = { ...castle, board_name: 'A/x.png' }

  expect(namesOf('{board}/{name}', [file, inside, inside])).toEqual([
    'A/x.png',
    'A/x.png (2)/castle.png',
    'A/x.png (2)/castle (2).png',
  ])
  expect(namesOf('{board}/{name}', [inside, file])).toEqual(['A/x.png/castle.png', 'A/x (2).png'])
})

/** Names unchanged files. */
const plain = (...fileNames: (string | null)[]) => {
  const namer = new FileNamer(parseNamePattern(PLAIN_NAMES).pattern ?? [], {
    ...{ count: fileNames.length, timeZone: 'UTC' },
  })
  return fileNames.map((file_name) => {
    const item = { ...castle, file_name }
    return namer.next(item, extensionOfItem(item))
  })
}

test.each([
  ['cat.png', 'cat.png'],
  ['Grüße 日本.PNG', 'Grüße 日本.PNG'],
  ['a jpeg in name only.jpg', 'a jpeg in name only.jpg.png'],
  ['a:b*c?.png', 'a_b_c_.png'],
  ['CON.png', '_CON.png'],
  ['lpt1', '_lpt1.png'],
  ['dots...', 'dots.png'],
  ['.hidden', 'image.hidden.png'],
  ['archive.tar.gz', 'archive.tar.gz.png'],
  ['no extension', 'no extension.png'],
  [null, '018f.png'],
])('names %j as %j', (fileName, expected) => {
  expect(plain(fileName)).toEqual([expected])
})

test('numbers names that differ only in case', () => {
  expect(plain('a.png', 'A.PNG', 'a.png', 'a (2).png')).toEqual([
    'a.png',
    'A (2).PNG',
    'a (3).png',
    'a (2) (2).png',
  ])
})

test('makes ten thousand equal names unique', () => {
  const all = plain(...Array<string>(10_000).fill('image.png'))

  expect(new Set(all.map((name) => name.toLowerCase())).size).toBe(10_000)
})

test.each([
  ['', 0, 0, 'Enter a pattern, such as {name}.'],
  ['a {modle}', 2, 7, 'There is no field “{modle}”.'],
  ['a {name', 2, 5, 'A “}” is missing.'],
  ['a} {name}', 1, 1, 'A “{” is missing before this “}”.'],
  ['/{name}', 0, 1, 'A folder name is missing before this “/”.'],
  ['{board}/', 7, 1, 'A file name is missing after the last “/”.'],
  ['a/'.repeat(12), 21, 1, 'At most 10 folders fit.'],
  ['x'.repeat(201), 200, 1, 'At most 200 characters fit.'],
])('reports the mistake in %j', (text, at, length, message) => {
  expect(parseNamePattern(text)).toEqual({ pattern: null, fault: { at, length, message } })
})

const word = string({ unit: 'binary', maxLength: 12 })
const patterns = array(constantFrom(...nameFieldIds.map((id) => `{${id}}`), '/', '..', ' ', 'a'), {
  minLength: 1,
  maxLength: 9,
}).map((parts) => parts.join(''))
const items = array(
  record({
    ...{ image_name: word, file_name: word, board_name: word, model: word, sampler: word },
    seed: word,
    media_type: constantFrom('image/png', 'video/mp4'),
    generator: constantFrom(...generatorIds),
    ...{
      dated_at: integer(),
      rating: integer({ min: 0, max: 5 }),
      width: integer(),
      height: integer(),
      steps: integer(),
      cfg: integer(),
    },
  }),
  { maxLength: 12 },
)

test('names are different, relative and valid, for any pattern and values', () => {
  void assert(
    property(patterns, items, (text, all) => {
      if (parseNamePattern(text).fault !== null) return
      const names = namesOf(text, all)

      expect(new Set(names.map(sameNameKey)).size).toBe(all.length)
      for (const name of names) {
        expect(name.split('/').every(isPlainName)).toBe(true)
        expect(name).toMatch(/\.png$/)
      }
    }),
  )
})
