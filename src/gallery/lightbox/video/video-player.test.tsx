import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { imageRecord } from '#testing/fake-fetch.ts'
import { unplayableWords } from './video-failure.ts'
import { VideoPlayer } from './video-player.ts'
import { useSound } from './video-preferences.ts'

const clip = imageRecord({
  image_name: 'boat.mp4',
  video: { duration: 4, fps: 10, codec: 'h264', has_sound: true, poster_ms: null },
})

beforeEach(() => useSound.setState({ volume: 1, isMuted: false }))
// Other files of this process need the functions themselves.
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Loads a clip into an element that reports that it has data. */
function open(video = clip) {
  const player = new VideoPlayer()
  const element = document.createElement('video')
  Object.defineProperty(element, 'readyState', { value: HTMLMediaElement.HAVE_ENOUGH_DATA })
  onTestFinished(player.attach(element, video, '/boat.mp4'))
  return { player, element, state: () => player.store.getState() }
}

/** The browser knows the codec, and the server answers with this status. */
const answerWith = (status: number) => {
  vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockReturnValue('probably')
  vi.stubGlobal('fetch', async () => new Response(null, { status }))
}

test.each([
  [200, 'damaged'],
  [404, 'gone'],
  [503, 'unreachable'],
])('takes an error with the answer %d for %s, and goes on at the same time', async (status, is) => {
  answerWith(status)
  const { player, element, state } = open()
  player.seek(3)

  element.dispatchEvent(new Event('error'))
  await expect.poll(() => state().failure).toBe(is)
  element.currentTime = 0
  player.retry()

  expect(state().failure).toBeNull()
  expect(element.currentTime).toBe(3)
})

test('names the kind of file that the browser does not open', async () => {
  const canPlayType = vi.spyOn(HTMLMediaElement.prototype, 'canPlayType')
  canPlayType.mockImplementation((type) => (type === 'video/x-matroska' ? '' : 'probably'))
  const mkv = { ...clip, media_type: 'video/x-matroska' as const }
  const { element, state } = open(mkv)

  element.dispatchEvent(new Event('error'))

  await expect.poll(() => state().failure).toBe('unplayable')
  expect(unplayableWords(mkv)).toBe('This browser cannot play MKV files.')
})

test('pauses a video that has just begun to play', () => {
  const { player, element } = open()
  vi.spyOn(element, 'paused', 'get').mockReturnValue(false)
  const pause = vi.spyOn(element, 'pause')

  player.toggle()

  expect(pause).toHaveBeenCalled()
})

test('takes a video without a picture for one whose codec is missing', async () => {
  const { element, state } = open()

  Object.defineProperty(element, 'videoWidth', { value: 0 })
  element.dispatchEvent(new Event('loadedmetadata'))

  await expect.poll(() => state().failure).toBe('unplayable')
})

test('reports a lost connection that the browser does not, until it plays again', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  answerWith(503)
  const { element, state } = open()

  element.dispatchEvent(new Event('waiting'))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(state().failure).toBe('unreachable')
  element.dispatchEvent(new Event('playing'))

  expect(state().failure).toBeNull()
})

test('steps to the middle of the next frame, and stops at both ends', () => {
  const { player, element } = open()

  player.seek(1)
  player.step(1)
  expect(element.currentTime).toBeCloseTo(1.15)
  player.seek(0)
  player.step(-1)
  expect(element.currentTime).toBeCloseTo(0.05)
  player.seek(4)
  player.step(1)
  expect(element.currentTime).toBeCloseTo(3.95)
})

test('loops short videos, except in a slideshow', () => {
  const { player, element } = open()
  expect(element.loop).toBe(true)

  player.setOnce(true)
  expect(element.loop).toBe(false)
})

test('plays long videos once', () => {
  const { player, element } = open({ ...clip, video: { ...clip.video, duration: 15 } as never })
  expect(element.loop).toBe(false)

  player.toggleLoop()
  expect(element.loop).toBe(true)
})

test('pauses when the tab is hidden', () => {
  const { element } = open()
  const pause = vi.spyOn(element, 'pause')
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)

  document.dispatchEvent(new Event('visibilitychange'))

  expect(pause).toHaveBeenCalled()
})

test('keeps the speed for the next video, and the volume for the next page', () => {
  const { player, element } = open()

  player.setSpeed(1)
  player.changeSpeed(1)
  player.setVolume(0.5)

  expect(element.playbackRate).toBe(1.25)
  expect(JSON.parse(localStorage.getItem('tessera:video') ?? '').state).toEqual({
    volume: 0.5,
    isMuted: false,
  })
})
