import { useEffect, useRef } from 'react'
import { type Import, importArrived, importEnded, isUnderWay } from '#gallery/api/imports.ts'

/** Shows what has come in: soon at first, then now and then, and all of it at the end. */
export function useArrivals(imports: readonly Import[]): void {
  const taken = imports.reduce((sum, { taken_in }) => sum + taken_in, 0)
  const underWay = imports.filter(isUnderWay).length
  const before = useRef({ taken, underWay })
  useEffect(() => {
    const last = before.current
    before.current = { taken, underWay }
    if (taken > last.taken) importArrived()
    if (underWay < last.underWay) importEnded()
  }, [taken, underWay])
}
