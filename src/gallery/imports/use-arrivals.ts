import { useEffect, useRef } from 'react'
import { type Import, importArrived, importEnded, isUnderWay } from '#gallery/api/imports.ts'

/** Shows what has come in: soon at first, then now and then, and all of it at the end. */
export function useArrivals(imports: readonly Import[] | undefined): void {
  const before = useRef<readonly Import[]>(undefined)
  useEffect(() => {
    const last = before.current
    before.current = imports
    // What came in before the page was there is in its first answers.
    if (imports === undefined || last === undefined) return
    if (takenIn(imports) > takenIn(last)) importArrived()
    if (imports.filter(isUnderWay).length < last.filter(isUnderWay).length) importEnded()
  }, [imports])
}

const takenIn = (imports: readonly Import[]): number =>
  imports.reduce((sum, { taken_in, dry_run }) => (dry_run ? sum : sum + taken_in), 0)
