import { useEffect, useRef } from 'react'
import { type Import, importArrived, importRested } from '#gallery/api/imports.ts'
import { hasArrived } from './has-arrived.ts'

/** Shows what has come in: soon at first, then now and then, and all of it when an import rests. */
export function useArrivals(imports: readonly Import[] | undefined): void {
  const before = useRef<readonly Import[]>(undefined)
  useEffect(() => {
    const last = before.current
    before.current = imports
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
