import { isFiltered } from '#contract/image-filter.ts'
import type { ChangeOrigin } from '#server/core/changes/change-ports.ts'
import type { View } from '#server/core/images/image-ports.ts'
import type { Records } from '#server/core/record-ports.ts'
import type { JsonPiece } from '#server/storage/sql/images/embedded-metadata.ts'
import { groupCalls } from './group-calls.ts'
import { unpackNames } from './packed-names.ts'
import { unpackRows } from './packed-rows.ts'
import type { RemoteUnits } from './remote-units.ts'

/** Images indexed per transaction. */
const IMAGES_PER_STEP = 2_000

/** The methods of the ports that run in database threads. */
export type ThreadRecords = Omit<Records, 'changes' | 'upkeep' | 'close'> & {
  changes: Omit<Records['changes'], 'listen'>
  upkeep: Omit<Records['upkeep'], 'revision' | 'now' | 'checkDatabase' | 'checkDisk' | 'reopen'>
}

/**
 * Implements the ports with units of work. Only methods that do more than call their unit are named here: those that
 * may take long, and those whose results the threads pack.
 *
 * @param long - Runs in the thread for lists of all names, days, searches, filtered views and thousands of records.
 * @param origin - Names the origin of each change for the log of changes.
 */
export const recordsOf = (
  quick: RemoteUnits,
  long: RemoteUnits,
  origin?: ChangeOrigin,
): ThreadRecords => ({
  ...quick,
  images: {
    ...quick.images,
    add: addInGroups(quick, origin),
    listByNames: async (imageNames) => {
      const { images } = imageNames.length > MANY_NAMES ? long : quick
      return unpackRows(await images.listByNames(imageNames))
    },
    page: async (view, window) => {
      const { images } = isLong(view) || window.limit === -1 ? long : quick
      const page = await images.page(view, window)
      return page === null ? null : { ...page, items: await unpackRows(page.items) }
    },
    position: (view, imageName) => (isLong(view) ? long : quick).images.position(view, imageName),
    days: long.images.days,
    facets: long.images.facets,
    insights: long.images.insights,
    ratios: long.images.ratios,
    names: async (view) => {
      const { packed, ...counts } = await long.images.names(view)
      return { image_names: unpackNames(packed), ...counts }
    },
    namesOnBoard: async (view, window) => {
      const packed = await long.images.namesOnBoard(view, window)
      return packed === null ? null : unpackNames(packed)
    },
    embeddedJson: async (imageName, text) => {
      const first = await quick.images.jsonPiece(imageName, text, 0)
      if (first === null) return null
      const next = (from: number) => quick.images.jsonPiece(imageName, text, from)
      return { bytes: first.bytes, pieces: piecesOf(first, next) }
    },
    archiveEntries: async (source) => {
      const entries = await long.images.archiveEntries(source)
      return entries === null ? null : unpackRows(entries)
    },
  },
  videos: {
    ...quick.videos,
    page: (view, window) =>
      (isLong(view) || window.limit === -1 ? long : quick).videos.page(view, window),
  },
  gallery: {
    page: (view, window) => (isLong(view) ? long : quick).gallery.page(view, window),
  },
  duplicates: {
    ...quick.duplicates,
    sameBytes: long.duplicates.sameBytes,
    pictures: long.duplicates.pictures,
    page: long.duplicates.page,
  },
  tags: { ...quick.tags, list: long.tags.list },
  queue: { ...quick.queue, itemIds: long.queue.itemIds },
  upkeep: {
    ...quick.upkeep,
    rebuildSearch: async (onProgress) => {
      await quick.upkeep.clearSearch()
      let done = 0
      for (let after: number | null = 0; after !== null; ) {
        after = await quick.upkeep.fillSearch(after, IMAGES_PER_STEP)
        done += IMAGES_PER_STEP
        onProgress(done)
      }
    },
  },
})

/** Adds images in groups. A group of several origins has none, so that every client asks what changed. */
const addInGroups = (
  { images }: Pick<RemoteUnits, 'images'>,
  origin: ChangeOrigin | undefined,
): Records['images']['add'] => {
  type Call = { image: Parameters<Records['images']['add']>[0]; from: string | null }
  const add = groupCalls((calls: readonly Call[]) => {
    const work = () => images.addEach(calls.map(({ image }) => image))
    const [from = null, ...others] = new Set(calls.map((call) => call.from))
    return origin === undefined ? work() : origin.run(others.length > 0 ? null : from, work)
  })
  return (image) => add({ image, from: origin?.current() ?? null })
}

const MANY_NAMES = 1000

/** Returns true if a view reads more than the index of its order. */
const isLong = (view: View): boolean => Boolean(view.query || view.searchTerm || isFiltered(view))

/** Yields all pieces of a text, given its first one. */
async function* piecesOf(
  { bytes, piece }: JsonPiece,
  next: (from: number) => Promise<JsonPiece | null>,
): AsyncGenerator<Uint8Array> {
  yield piece
  for (let from = piece.length; from < bytes; ) {
    const more = await next(from)
    if (more === null || more.piece.length === 0)
      throw new Error('The image was deleted meanwhile.')
    yield more.piece
    from += more.piece.length
  }
}
