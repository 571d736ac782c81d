import { useEffect, useRef } from 'react'
import { isLibraryEmpty } from '#gallery/api/board-queries.ts'
import { type Import, importArrived, importRested } from '#gallery/api/imports.ts'
import { suggestOrder } from '#gallery/url/use-place.ts'
import { hasArrived } from './has-arrived.ts'

/** Shows what has come in: soon at first, then now and then, and all of it when an import rests. */
export function useArrivals(imports: readonly Import[] | undefined): void {
  const before = useRef<readonly Import[]>(undefined)
  useEffect(() => {
    const last = before.current
    before.current = imports
    // Imported images arrive all at once: their own dates order them better than that of the import. The
    // open view changes only if it was empty: else what a person looks at would move.
    if (imports?.some(({ dry_run, taken_in }) => !dry_run && taken_in > 0)) {
      suggestOrder({ orderBy: 'taken_at' }, isLibraryEmpty())
    }
    // What came in before the page was there is in its first answers.
    if (imports === undefined || last === undefined) return
    if (hasArrived(last, imports)) importArrived()
    if (last.some((one) => hasComeToRest(one, imports))) importRested()
  }, [imports])
}

/** Whether it took files in and does so no more: it has ended, is paused, or only watches. */
const hasComeToRest = (one: Import, now: readonly Import[]): boolean =>
  one.state === 'running' &&
  now.find(({ import_id }) => import_id === one.import_id)?.state !== 'running'
