import type { QueryClient } from '@tanstack/react-query'
import type { Clock } from './clock.ts'
import { ServerCapabilities } from './connection/capabilities.ts'
import { type Connection, refetchOnReturn } from './connection/connection.ts'
import { type OpenChannel, OtherTabs } from './connection/other-tabs.ts'
import { ServerEvents } from './connection/server-events.ts'
import { UndoStack } from './outbox/undo.ts'

interface GalleryApiOptions extends Connection {
  readonly queryClient: QueryClient
  readonly clock: Clock
  readonly channel: OpenChannel
}

/** The data layer of the page. `createGalleryApi` builds it, and components get it from `useGallery`. */
export type GalleryApi = ReturnType<typeof createGalleryApi>

/** Builds the data layer. Nothing is requested or watched before `start`. */
export function createGalleryApi({
  client,
  unloadClient,
  accountToken,
  queryClient,
  clock,
  channel,
}: GalleryApiOptions) {
  const capabilities = new ServerCapabilities(client, queryClient)
  const tabs = new OtherTabs(channel)
  const events = new ServerEvents({ client, clock, channel })
  const undo = new UndoStack()

  return {
    client,
    unloadClient,
    accountToken,
    queryClient,
    clock,
    capabilities,
    tabs,
    events,
    undo,

    /** Begins to watch the window and the other tabs. Returns a function that stops it. */
    start(): () => void {
      const stopping = new AbortController()
      const { signal } = stopping
      accountToken.start(signal)
      refetchOnReturn(clock, signal)
      return () => stopping.abort()
    },
  }
}
