import { expect, test } from 'vitest'
import { frameNameOf } from './frame-name.ts'

test.each([
  ['boat.mp4', 3.25, 'boat 0-03.2.png'],
  ['boat.final.webm', 0, 'boat.final 0-00.0.png'],
  ['boat', 59.99, 'boat 0-59.9.png'],
  ['boat.mov', 754.3, 'boat 12-34.3.png'],
  ['boat.mkv', 3661.5, 'boat 1-01-01.5.png'],
])('names a frame of %s at %d s %s', (fileName, timeS, name) => {
  expect(frameNameOf(fileName, timeS)).toBe(name)
})
