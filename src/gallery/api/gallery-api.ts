import type { QueryClient } from '@tanstack/react-query'
import { PendingImages } from '#gallery/api/answer/pending-images.ts'
import { BoardCache } from './boards/board-cache.ts'
import { BoardQueries } from './boards/board-queries.ts'
import type { Clock } from './clock.ts'
import { UserAccount } from './connection/account.ts'
import { ServerCapabilities } from './connection/capabilities.ts'
import { type Connection, refetchOnReturn } from './connection/connection.ts'
import { type OpenChannel, OtherTabs } from './connection/other-tabs.ts'
import { ServerReachability } from './connection/reachability.ts'
import { ServerEvents } from './connection/server-events.ts'
import { DemoLibrary } from './demo-library.ts'
import { ImageCache } from './images/image-cache.ts'
import { ImageQueries } from './images/image-queries.ts'
import { NewImages } from './images/new-images.ts'
import { type ShownChange, showChange } from './images/show-change.ts'
import { Imports } from './imports.ts'
import { Listeners } from './listeners.ts'
import { Outbox } from './outbox/outbox.ts'
import { UndoStack } from './outbox/undo.ts'
import type { WorkEvent } from './process/work-events.ts'
import { GenerationProgress } from './queue/generation-progress.ts'
import { Leftovers } from './queue/leftovers.ts'
import { Queue } from './queue/queue.ts'
import { QueueEvents } from './queue/queue-events.ts'
import { Refresh } from './refresh.ts'
import { Trash } from './trash/trash-cache.ts'
import { UploadQueue } from './uploads/upload-queue.ts'
import { UploadSender } from './uploads/upload-sender.ts'

interface GalleryApiOptions extends Connection {
  readonly queryClient: QueryClient
  readonly clock: Clock
  readonly channel: OpenChannel
}

/** The data layer of the page. `createGalleryApi` builds it, and components get it from `useGallery`. */
export type GalleryApi = ReturnType<typeof createGalleryApi>

/** Builds the data layer. Nothing is requested or watched before `start`. */
export function createGalleryApi(options: GalleryApiOptions) {
  const { client, unloadClient, accountToken, queryClient, clock, channel } = options
  const base = { client, queryClient, clock }

  const capabilities = new ServerCapabilities(client, queryClient)
  const tabs = new OtherTabs(channel)
  const events = new ServerEvents({ client, clock, channel })

  // The cached data, and what the page shows before the server has confirmed it.
  const pending = new PendingImages(clock)
  const imageCache = new ImageCache(queryClient, pending)
  const imageQueries = new ImageQueries(client, pending)
  const boardCache = new BoardCache(queryClient)
  const boardQueries = new BoardQueries(client, boardCache)
  const trash = new Trash(client, queryClient)
  const show = (change: ShownChange) =>
    showChange({ queryClient, imageCache, boardCache, trash }, change)
  const refresh = new Refresh({ queryClient, clock, tabs, show })
  const newImages = new NewImages({
    ...base,
    pending,
    imageCache,
    imageQueries,
    boardCache,
    tabs,
    refresh,
  })

  // The changes of the user.
  const undo = new UndoStack()
  const outbox = new Outbox({
    ...base,
    unloadClient,
    capabilities,
    imageCache,
    imageQueries,
    show,
    refresh,
    undo,
  })

  const reachability = new ServerReachability({
    ...base,
    accountToken,
    capabilities,
    events,
    outbox,
    refresh,
  })
  const account = new UserAccount({ ...base, accountToken, outbox, reachability })

  // The work of the server.
  const generations = new GenerationProgress(clock)
  const queue = new Queue({ ...base, generations })
  const leftovers = new Leftovers()
  const queueEvents = new QueueEvents({
    client,
    clock,
    events,
    reachability,
    refresh,
    newImages,
    queue,
    generations,
    leftovers,
  })
  const imports = new Imports(base)
  const sender = new UploadSender({ client, capabilities })
  const uploads = new UploadQueue({ clock, outbox, sender, newImages })
  const demo = new DemoLibrary({ client, tabs, refresh })
  const stopping = new AbortController()
  const { signal } = stopping

  return {
    client,
    accountToken,
    queryClient,
    clock,
    capabilities,
    tabs,
    events,
    imageCache,
    imageQueries,
    boardCache,
    boardQueries,
    trash,
    refresh,
    newImages,
    undo,
    outbox,
    reachability,
    account,
    generations,
    queue,
    leftovers,
    imports,
    uploads,
    demo,
    /** The events of queued work and of copies. */
    workEvents: new Listeners<WorkEvent>(),

    /** Begins to watch the window, the other tabs and the results of requests. Resumes unconfirmed changes. */
    start(): void {
      accountToken.start(signal)
      tabs.start(signal, (message) => refresh.applyTabMessage(message))
      refetchOnReturn(clock, signal)
      outbox.start(signal)
      reachability.start(signal)
    },

    /** Loads the queue and keeps it up to date. Call it after the first images are requested. */
    watchQueue: (): Promise<void> => queueEvents.watch(signal),

    /** Ends everything that `start` and `watchQueue` have begun. */
    stop(): void {
      stopping.abort()
    },
  }
}
