import { expect, test } from 'vitest'
import { nameKeyOf } from './name-key.ts'

const inOrder = (names: readonly string[]): string[] => {
  const keyOf = (file_name: string) => Buffer.from(nameKeyOf({ file_name, image_name: 'x' }))
  return names.toSorted((one, other) => Buffer.compare(keyOf(one), keyOf(other)))
}

test.each([
  [['img 2.png', 'img 10.png', 'img 100.png']],
  [['ComfyUI_00009_.png', 'ComfyUI_00010_.png', 'ComfyUI_100000_.png']],
  [['a.png', 'B.png', 'c.png']],
  [['Ärger.png', 'arm.png', 'Zebra.png']],
  [['1.png', '02.png', '3 b.png', '10.png', 'a.png']],
  [['2026-09-30.jpg', '2026-10-01.jpg', '2026-10-02.jpg']],
  [['9'.repeat(30), '1'.repeat(31)]],
  [['0.png', '1.png', '02.png']],
  [['猫.png', '🐈.png']],
])('sorts %j in this order', (names) => {
  expect(inOrder(names.toReversed())).toEqual(names)
})

test('ignores case, accents and leading zeros', () => {
  const keys = ['Éclair 007.png', 'eclair 7.PNG'].map((file_name) =>
    nameKeyOf({ file_name, image_name: 'x' }),
  )
  expect(keys[0]).toBe(keys[1])
})

test.each([null, ''])('falls back to the image name if the file name is %j', (file_name) => {
  expect(nameKeyOf({ file_name, image_name: '7-A.png' })).toBe('017-a.png')
})
