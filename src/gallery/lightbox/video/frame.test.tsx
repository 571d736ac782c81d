import { expect, test } from 'vitest'
import { frameNameOf, waitForFrame } from './frame.ts'

test.each([
  ['boat.mp4', 3.25, 'boat 0-03.2.png'],
  ['boat.final.webm', 0, 'boat.final 0-00.0.png'],
  ['boat', 59.99, 'boat 0-59.9.png'],
  ['boat.mov', 754.3, 'boat 12-34.3.png'],
  ['boat.mkv', 3661.5, 'boat 1-01-01.5.png'],
])('names a frame of %s at %d s %s', (fileName, timeS, name) => {
  expect(frameNameOf(fileName, timeS)).toBe(name)
})

/** An element in the middle of a seek: its data is gone. */
function seekingVideo() {
  const video = document.createElement('video')
  const state = { seeking: true, readyState: HTMLMediaElement.HAVE_METADATA as number }
  for (const key of ['seeking', 'readyState'] as const)
    Object.defineProperty(video, key, { get: () => state[key] })
  return { video, state }
}

test('waits for the frame of a seek, which brings no `loadeddata`', async () => {
  const { video, state } = seekingVideo()
  const waiting = waitForFrame(video)

  state.readyState = HTMLMediaElement.HAVE_CURRENT_DATA
  video.dispatchEvent(new Event('canplay'))
  expect(await Promise.race([waiting, 'still waiting'])).toBe('still waiting')
  state.seeking = false
  video.dispatchEvent(new Event('seeked'))

  await expect(waiting).resolves.toBeUndefined()
})

test.each(['error', 'emptied'])('ends with %s', async (type) => {
  const { video } = seekingVideo()
  const waiting = waitForFrame(video)

  video.dispatchEvent(new Event(type))

  await expect(waiting).rejects.toThrow('no frame')
})
