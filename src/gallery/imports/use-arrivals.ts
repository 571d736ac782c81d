import { useEffect, useRef } from 'react'
import { type Import, importArrived, importRested } from '#gallery/api/imports.ts'

/** Shows what has come in: soon at first, then now and then, and all of it when an import rests. */
export function useArrivals(imports: readonly Import[] | undefined): void {
  const before = useRef<readonly Import[]>(undefined)
  useEffect(() => {
    const last = before.current
    before.current = imports
    // What came in before the page was there is in its first answers.
    if (imports === undefined || last === undefined) return
    if (takenIn(imports) > takenIn(last)) importArrived()
    if (last.some((one) => hasComeToRest(one, imports))) importRested()
  }, [imports])
}

const takenIn = (imports: readonly Import[]): number =>
  imports.reduce((sum, { taken_in, dry_run }) => (dry_run ? sum : sum + taken_in), 0)

/** Whether it took files in and does so no more: it has ended, is paused, or only watches. */
const hasComeToRest = (one: Import, now: readonly Import[]): boolean =>
  one.state === 'running' &&
  now.find(({ import_id }) => import_id === one.import_id)?.state !== 'running'
