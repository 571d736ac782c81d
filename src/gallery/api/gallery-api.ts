import type { QueryClient } from '@tanstack/react-query'
import { PendingImages } from '#gallery/api/answer/pending-images.ts'
import { BoardCache } from '#gallery/api/boards/board-cache.ts'
import { BoardQueries } from '#gallery/api/boards/board-queries.ts'
import { UserAccount } from '#gallery/api/connection/account.ts'
import { ServerCapabilities } from '#gallery/api/connection/capabilities.ts'
import type { Connection } from '#gallery/api/connection/connection.ts'
import { type OpenChannel, OtherTabs } from '#gallery/api/connection/other-tabs.ts'
import { ServerReachability } from '#gallery/api/connection/reachability.ts'
import { ServerEvents } from '#gallery/api/connection/server-events.ts'
import { ImageCache } from '#gallery/api/images/image-cache.ts'
import { createImageQueries, type ImageQueries } from '#gallery/api/images/image-queries.ts'
import { NewImages } from '#gallery/api/images/new-images.ts'
import { createStarredCount, type StarredCount } from '#gallery/api/images/starred-count.ts'
import { runnerOfPoster } from '#gallery/api/images/video-posters.ts'
import { Journal } from '#gallery/api/journal/journal.ts'
import { kindsWithoutImages } from '#gallery/api/journal/journal-state.ts'
import type { Revive, Runner } from '#gallery/api/journal/journal-types.ts'
import { ContestedImages } from '#gallery/api/outbox/contested-images.ts'
import { Outbox } from '#gallery/api/outbox/outbox.ts'
import { runnerOfWork } from '#gallery/api/process/process-work.ts'
import type { WorkAction, WorkEvent } from '#gallery/api/process/work-events.ts'
import { GenerationProgress } from '#gallery/api/queue/generation-progress.ts'
import { Leftovers } from '#gallery/api/queue/leftovers.ts'
import { Queue } from '#gallery/api/queue/queue.ts'
import { watchQueue } from '#gallery/api/queue/queue-events.ts'
import { Tags } from '#gallery/api/tags/tags.ts'
import { Trash } from '#gallery/api/trash/trash-cache.ts'
import { UploadQueue } from '#gallery/api/uploads/upload-queue.ts'
import type { Clock } from './clock.ts'
import { DemoLibrary } from './demo-library.ts'
import { Duplicates } from './duplicates.ts'
import { Imports } from './imports.ts'
import { Listeners } from './listeners.ts'
import { LiveChanges } from './live-changes.ts'
import { OthersChanges } from './others-changes.ts'
import { Refresh } from './refresh.ts'
import { Searches } from './searches.ts'

interface GalleryApiOptions extends Connection {
  readonly queryClient: QueryClient
  readonly clock: Clock
  readonly channel: OpenChannel
}

/** The connection to the server, and its cached data. The other parts of the data layer are built from it. */
interface CacheApi extends GalleryApiOptions {
  readonly capabilities: ServerCapabilities
  readonly tabs: OtherTabs
  readonly events: ServerEvents
  readonly pending: PendingImages
  readonly imageCache: ImageCache
  readonly contested: ContestedImages
  readonly imageQueries: ImageQueries
  readonly boardCache: BoardCache
  readonly boardQueries: BoardQueries
  readonly trash: Trash
  readonly starredCount: StarredCount
}

/** The data layer of the page. `createGalleryApi` builds it, and components get it from `useGallery`. */
export interface GalleryApi extends CacheApi {
  readonly refresh: Refresh
  readonly newImages: NewImages
  /** The changes of other tabs, devices and programs. */
  readonly live: LiveChanges
  /** The last actions of the user, for Undo and Redo. */
  readonly journal: Journal
  /** The changes of the user. */
  readonly outbox: Outbox
  readonly reachability: ServerReachability
  readonly account: UserAccount
  readonly generations: GenerationProgress
  readonly queue: Queue
  readonly leftovers: Leftovers
  readonly imports: Imports
  readonly searches: Searches
  readonly tags: Tags
  readonly duplicates: Duplicates
  readonly uploads: UploadQueue
  readonly demo: DemoLibrary
  /** The events of queued work and of copies. */
  readonly workEvents: Listeners<WorkEvent>
  /** Begins to watch the window, the other tabs and the results of requests. Resumes unconfirmed changes. */
  start(): void
  /** Follows the queue and the changes of others. Call it after the first images are requested. */
  watchQueue(): Promise<void>
  /** Ends everything that `start` and `watchQueue` have begun. */
  stop(): void
}

/** Builds the data layer. Nothing is requested or watched before `start`. */
export function createGalleryApi(options: GalleryApiOptions): GalleryApi {
  const { client, queryClient, clock, channel, accountToken } = options
  const pending = new PendingImages(clock)
  const boardCache = new BoardCache(queryClient)
  const cache: CacheApi = {
    ...options,
    capabilities: new ServerCapabilities(client, queryClient),
    tabs: new OtherTabs(channel),
    events: new ServerEvents(options),
    pending,
    imageCache: new ImageCache(queryClient, pending),
    contested: new ContestedImages(),
    imageQueries: createImageQueries(client, pending),
    boardCache,
    boardQueries: new BoardQueries(client, boardCache),
    trash: new Trash(client, queryClient),
    starredCount: createStarredCount(client, queryClient),
  }
  const refresh = new Refresh(cache)
  const newImages = new NewImages({ ...cache, refresh, hearsOfChanges: () => live.isOn })
  const journal = new Journal(cache, (...args) => revive(api, ...args))
  const outbox = new Outbox({ ...cache, refresh, journal })
  const reachability = new ServerReachability({ ...cache, refresh, outbox })
  const generations = new GenerationProgress(clock)
  const others = new OthersChanges({ ...cache, refresh, newImages })
  const live = new LiveChanges({ ...cache, refresh, others, reachability })
  const stopping = new AbortController()
  const { signal } = stopping

  const api: GalleryApi = {
    ...cache,
    refresh,
    newImages,
    live,
    journal,
    outbox,
    reachability,
    account: new UserAccount({ ...cache, journal, outbox, reachability }),
    generations,
    queue: new Queue({ ...options, generations }),
    leftovers: new Leftovers(options),
    searches: new Searches({ ...cache, journal }),
    tags: new Tags({ ...cache, journal, refresh }),
    duplicates: new Duplicates({ ...cache, journal, outbox, refresh }),
    imports: new Imports({ ...cache, journal }),
    uploads: new UploadQueue({ ...cache, journal, outbox, newImages }),
    demo: new DemoLibrary({ ...cache, refresh }),
    workEvents: new Listeners(),
    start() {
      accountToken.start(signal)
      cache.tabs.start(signal, (message) => {
        if (message.kind === 'journal') journal.applyTabMessage(message.message)
        // A server that lists changes tells every tab.
        else if (!live.isOn) refresh.allSoon()
      })
      journal.start(outbox.start(signal))
      reachability.start(signal)
    },
    watchQueue: () => {
      void live.start(signal)
      return watchQueue(api, signal)
    },
    stop: () => stopping.abort(),
  }
  return api
}

/** Returns the Undo and Redo of an action of an earlier page or another tab. */
const revive = (
  api: GalleryApi,
  ...[{ id, action }, recipe]: Parameters<Revive>
): Runner | null => {
  if (recipe.kind === 'poster') return runnerOfPoster(api, recipe)
  if (recipe.kind === 'search') return api.searches.runnerOf(recipe)
  if (recipe.kind === 'tags') return api.tags.runnerOf(id, recipe)
  if (recipe.kind === 'duplicates') return api.duplicates.runnerOf(recipe)
  if (recipe.kind === 'work') {
    return 'kind' in action && isWork(action) ? runnerOfWork(api, { id, action }, recipe) : null
  }
  return 'kind' in action ? null : api.outbox.runnerOf({ id, action }, recipe)
}

const isWork = (action: { readonly kind: string }): action is WorkAction =>
  ![...kindsWithoutImages, 'duplicates'].includes(action.kind)
