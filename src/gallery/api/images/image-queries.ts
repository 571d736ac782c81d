import { queryOptions } from '@tanstack/react-query'
import type { ImageDays, ImagePosition } from '#contract/image.ts'
import { gallery } from '#gallery/api/connection/connection.ts'
import { imageKeys } from './image-cache.ts'
import { type ImageView, type ImageWindow, isTrash } from './image-windows.ts'
import { withImagesSince } from './new-images-since.ts'
import { type FetchPart, fetchWindow, withPendingNames } from './pending-images.ts'

/** How long a window is shown without asking whether it still holds, in ms. */
const STALE_AFTER_MS = 60_000

/** How long a window that is out of sight is kept, in ms: scrolling through a library must not fill the memory. */
const KEPT_FOR_MS = 3 * 60_000

/** The browser's time zone, whose midnight begins a day. A function, because reading it first takes 10 ms or more. */
const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Queries about images. Their keys go from general to specific. */
export const imageQueries = {
  /** The key of everything about images. */
  all: () => imageKeys.all(),

  /** The key of everything about one view. */
  view: (view: ImageView) => imageKeys.view(view),

  /** The key of every window of one view. */
  windows: (view: ImageView) => imageKeys.windows(view),

  /** The records from `index * WINDOW_SIZE` on, and the view's total. */
  window: (view: ImageView, index: number) =>
    queryOptions({
      queryKey: imageKeys.window(view, index),
      queryFn: async ({ signal }): Promise<ImageWindow> => {
        if (isTrash(view)) {
          return fetchWindow(view, index, (part) => gallery.trash.list(part, { signal }))
        }
        const viewAsked = await asked(view)
        const askedAt = performance.now()
        const ask: FetchPart = (part) => gallery.images.page(viewAsked, part, { signal })
        const window = await fetchWindow(view, index, ask)
        return index === 0 ? withImagesSince(view, window, askedAt) : window
      },
      staleTime: STALE_AFTER_MS,
      gcTime: KEPT_FOR_MS,
      // Other machines change things too, and nobody tells; where nothing has changed an ETag says so.
      refetchOnWindowFocus: 'always',
    }),

  /** How many images a view has, and how many bytes; `null` if the server does not count these. */
  size: (view: ImageView) =>
    queryOptions({
      queryKey: imageKeys.size(view),
      queryFn: async ({ signal }): Promise<{ total: number; bytes: number | null }> => {
        const counted = { offset: 0, limit: 0 }
        const page = await gallery.images.page(await asked(view), counted, { signal })
        return { total: page.total, bytes: page.total_bytes ?? null }
      },
      staleTime: STALE_AFTER_MS,
    }),

  /** Where an image stands in a view, from 0; `null` where it is not in it. */
  position: (view: ImageView, imageName: string) =>
    queryOptions({
      queryKey: imageKeys.position(view, imageName),
      queryFn: async ({ client, signal }): Promise<ImagePosition> => {
        if (!isTrash(view) && (await gallery.server.has('image_position'))) {
          return gallery.images.position(await asked(view), imageName, { signal })
        }
        const names = await client.fetchQuery(imageQueries.names(view))
        const position = names.indexOf(imageName)
        return { position: position < 0 ? null : position, total: names.length }
      },
      staleTime: 0,
    }),

  /** How many images each day has, for a view in an order by date: where every day begins and ends. */
  days: (view: ImageView) =>
    queryOptions({
      queryKey: [...imageKeys.view(view), 'days', timeZone()] as const,
      queryFn: async ({ signal }): Promise<ImageDays> =>
        gallery.images.days(await asked(view), { timeZone: timeZone(), signal }),
      // Only a change makes it stale: whoever shows days asks again then, or when their sum is off.
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: KEPT_FOR_MS,
      refetchOnWindowFocus: 'always',
    }),

  /** Every name of a view in its order: only for what acts on all of them. */
  names: (view: ImageView) =>
    queryOptions({
      queryKey: imageKeys.names(view),
      queryFn: async ({ signal }): Promise<readonly string[]> => {
        const names = isTrash(view)
          ? await trashedNames(signal)
          : (await gallery.images.names(await asked(view), { signal })).image_names
        return withPendingNames(view, names)
      },
      // Tens of thousands of strings: comparing them one by one would cost more than it saves.
      structuralSharing: false,
      gcTime: 60_000,
      staleTime: STALE_AFTER_MS,
    }),
}

/** The most records of the trash that the server gives at once. */
const MAX_TRASH_LENGTH = 1000

/** The names of all images in the trash, for actions on all of them. */
async function trashedNames(signal: AbortSignal): Promise<string[]> {
  const names = new Set<string>()
  let offset = 0
  for (;;) {
    const part = { offset, limit: MAX_TRASH_LENGTH }
    const { items, total } = await gallery.trash.list(part, { signal })
    for (const { image_name } of items) names.add(image_name)
    offset += items.length
    if (items.length === 0 || offset >= total) return [...names]
  }
}

/** A view as the client library asks for it. InvokeAI knows only its own kind of search, and one order. */
async function asked(view: ImageView) {
  const { boardId, query, orderBy, orderDir, starredFirst, categories } = view
  const search =
    query === '' ? {} : (await gallery.server.has('query')) ? { query } : { searchTerm: query }
  return {
    boardId: boardId ?? undefined,
    isIntermediate: false,
    ...(orderBy && (await gallery.server.has('image_orders')) && { orderBy }),
    orderDir,
    starredFirst,
    categories,
    ...search,
  }
}
