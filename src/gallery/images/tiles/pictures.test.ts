import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPictures, PictureQueue, ShownPictures } from './pictures.ts'

let frames: (() => void)[]
beforeEach(() => {
  frames = []
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw))
})
afterEach(() => vi.unstubAllGlobals())

const nextFrame = () => frames.shift()?.()

test('begins sixteen pictures per frame, in order', () => {
  const begun: number[] = []
  const queue = new PictureQueue()
  for (let number = 0; number < 20; number += 1) queue.add(() => begun.push(number))

  nextFrame()
  expect(begun).toHaveLength(16)
  nextFrame()

  expect(begun).toEqual(Array.from({ length: 20 }, (_, at) => at))
  expect(frames).toEqual([])
})

test('does not begin a picture that was removed from the queue', () => {
  const begin = vi.fn()
  const queue = new PictureQueue()

  queue.add(begin)()
  nextFrame()

  expect(begin).not.toHaveBeenCalled()
})

test('waits for another frame after a pause', () => {
  const begin = vi.fn()
  const queue = new PictureQueue()
  queue.add(() => {})
  nextFrame()

  queue.add(begin)
  expect(begin).not.toHaveBeenCalled()
  nextFrame()

  expect(begin).toHaveBeenCalledOnce()
})

test('caches invalid hashes and colors', () => {
  const pictures = createPictures()

  expect(pictures.averageColorOf('%%%')).toBeUndefined()
  expect(pictures.placeholderOf(null)).toBeUndefined()
  expect(pictures.averageColorOf('%%%')).toBeUndefined()
})

test('remembers only the images that were shown last', () => {
  const shown = new ShownPictures()
  for (let number = 0; number < 400; number += 1) shown.add(`${number}.webp`)
  shown.add('0.webp')
  shown.add('new.webp')

  expect(['new.webp', '0.webp', '1.webp', 'never.webp'].map((url) => shown.has(url))).toEqual([
    true,
    true,
    false,
    false,
  ])
})
