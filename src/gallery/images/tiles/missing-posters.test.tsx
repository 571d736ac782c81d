import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { imageRecord } from '#testing/fake-fetch.ts'
import { MissingPosters } from './missing-posters.ts'

const clip = imageRecord({
  image_name: 'boat.mp4',
  video: { duration: 4, fps: 10, codec: 'hevc', has_sound: true, poster_ms: null },
})

let observed: Element[]
beforeEach(() => {
  observed = []
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe = (tile: Element) => observed.push(tile)
    },
  )
})
afterEach(() => vi.unstubAllGlobals())

const add = (record = clip, hasExtension = true) => {
  const api = { capabilities: { has: () => hasExtension } }
  new MissingPosters().add(api as never, record, document.body)
  return observed.length
}

test('waits until a tile without a poster is in view', () => {
  expect(add()).toBe(1)
})

test('makes no poster for a video in the trash, or for a server that takes none', () => {
  expect(add({ ...clip, deleted_at: '2026-05-09T00:00:00Z' })).toBe(0)
  expect(add(clip, false)).toBe(0)
})

test('makes no poster for users who save data', () => {
  vi.stubGlobal('navigator', { connection: { saveData: true } })

  expect(add()).toBe(0)
})
