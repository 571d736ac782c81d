import { useQuery } from '@tanstack/react-query'
import type { ImageRecord } from '#contract/image.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { totalSize } from '#gallery/api/images/image-queries.ts'
import { type GridNow, loadedRecord } from '#gallery/images/grid/grid-now.ts'
import { targetRecords } from './selected-images.ts'
import { countSelected, NOTHING } from './selection.ts'
import { useSelection } from './selection-store.ts'

/** The size of more images that are not loaded is not requested. */
const MAX_REQUESTED = 1000

/**
 * Returns the total size of the selected images in bytes; `null` while it is not known. For a rule of all images it is
 * the size of the view without the exceptions.
 */
export function useSelectedBytes(now: GridNow): number | null {
  const selection = useSelection()
  const { ranges, added, removed } = selection
  const { total } = now
  const records = targetRecords(now)
  const isLoaded = records.length === countSelected(selection, total)
  const loadedBytes = isLoaded ? totalSize(records) : null
  const isRule = ranges.length > 0
  const isOfAll =
    isRule && added.size === 0 && countSelected({ ...NOTHING, ranges }, total) === total
  const viewBytes = useViewBytes(now, !isLoaded && isOfAll)
  const isAsked = !isLoaded && (isRule ? viewBytes !== null : true)
  const namedBytes = useNamedBytes(now, isRule ? removed : added, isAsked)

  if (isLoaded || !isRule) return loadedBytes ?? namedBytes
  return viewBytes === null || namedBytes === null ? null : viewBytes - namedBytes
}

/** Returns the size of all images in the view from the server's counters, in bytes; `null` while it is not known. */
function useViewBytes({ view, total }: GridNow, isWanted: boolean): number | null {
  const { capabilities, imageQueries } = useGallery()
  const enabled = isWanted && !capabilities.isInvokeAi
  const { data } = useQuery({ ...imageQueries.size(view), enabled })
  // While changes are being sent, the server counts different images than the page shows.
  return enabled && data?.total === total ? data.bytes : null
}

/** Returns the size of named images in bytes. Requests those that are not loaded. `null` while it is not known. */
function useNamedBytes(
  now: GridNow,
  images: ReadonlyMap<string, number>,
  isWanted: boolean,
): number | null {
  const { capabilities, imageQueries } = useGallery()
  const loaded: ImageRecord[] = []
  const missing: string[] = []
  for (const [name, position] of isWanted ? images : []) {
    const record = loadedRecord(now, position)
    if (record?.image_name === name) loaded.push(record)
    else missing.push(name)
  }
  const enabled = missing.length > 0 && missing.length <= MAX_REQUESTED && !capabilities.isInvokeAi
  const requested = useQuery({ ...imageQueries.sizeOf(missing), enabled }).data ?? null
  const loadedBytes = totalSize(loaded)
  if (!isWanted || loadedBytes === null) return null
  if (missing.length === 0) return loadedBytes
  return requested === null ? null : loadedBytes + requested
}
