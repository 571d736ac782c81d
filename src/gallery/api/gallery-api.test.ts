import { afterEach, expect, test, vi } from 'vitest'
import { type Clock, systemClock } from './clock.ts'
import { connectToServer, createQueryClient } from './connection/connection.ts'
import { createGalleryApi } from './gallery-api.ts'
import { imageKeys } from './images/image-cache.ts'
import type { ImageView } from './images/image-windows.ts'

const view: ImageView = { boardId: null, query: '', orderDir: 'DESC', starredFirst: false }

/** Builds a data layer that records its requests, timers and channels. */
function recordedGallery() {
  const requests: string[] = []
  const timers: number[] = []
  const channels = new Map<string, boolean>()
  const clock: Clock = {
    ...systemClock,
    setTimeout: (run, ms) => {
      timers.push(ms)
      return systemClock.setTimeout(run, ms)
    },
  }
  const fetch = (url: string) => {
    requests.push(url)
    return new Promise<Response>(() => {})
  }
  const channel = (name: string) => {
    channels.set(name, true)
    return { close: () => channels.set(name, false) } as unknown as BroadcastChannel
  }
  const queryClient = createQueryClient()
  const api = createGalleryApi({ ...connectToServer({ fetch }), queryClient, clock, channel })
  return { api, requests, timers, channels }
}

afterEach(() => vi.unstubAllGlobals())

test('does nothing before it is started', () => {
  const { requests, timers, channels } = recordedGallery()

  expect(requests).toEqual([])
  expect(timers).toEqual([])
  expect(channels.size).toBe(0)
})

test('opens the channel to other tabs until it is stopped', () => {
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  const { api, channels } = recordedGallery()

  api.start()
  expect([...channels]).toEqual([['tessera', true]])
  api.stop()

  expect([...channels]).toEqual([['tessera', false]])
})

test('shares no state with another data layer', () => {
  const { api: one } = recordedGallery()
  const { api: other } = recordedGallery()
  for (const { queryClient } of [one, other]) {
    const items = [{ image_name: 'a.png', starred: false }]
    queryClient.setQueryData(imageKeys.window(view, 0), { items, total: 1 } as never)
  }

  one.outbox.star(['a.png'], true)

  const starredIn = ({ queryClient }: typeof one) =>
    queryClient.getQueryData(imageKeys.window(view, 0))
  expect(starredIn(one)).toMatchObject({ items: [{ starred: true }] })
  expect(starredIn(other)).toMatchObject({ items: [{ starred: false }] })
  expect(one.journal.getState()).toHaveLength(1)
  expect(other.journal.getState()).toEqual([])
})
