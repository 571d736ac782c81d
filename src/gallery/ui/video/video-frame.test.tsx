import { expect, test } from 'vitest'
import { waitForFrame } from './video-frame.ts'

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
