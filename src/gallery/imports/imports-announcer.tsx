import { useEffect, useRef, useState } from 'react'
import { type Import, isUnderWay } from '#gallery/api/imports.ts'
import { announcementOf, titleOf } from './import-words.ts'

/** Says aloud when an import begins and how it ended, and nothing in between. */
export function ImportsAnnouncer({ imports }: { imports: readonly Import[] }) {
  const [said, setSaid] = useState('')
  const before = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const underWay = new Set(imports.filter(isUnderWay).map(({ import_id }) => import_id))
    const begun = imports.find((one) => isUnderWay(one) && !before.current.has(one.import_id))
    const ended = imports.find((one) => !isUnderWay(one) && before.current.has(one.import_id))
    before.current = underWay
    if (ended) setSaid(announcementOf(ended))
    else if (begun) setSaid(titleOf(begun))
  }, [imports])
  return (
    <p className="sr-only" aria-live="polite">
      {said}
    </p>
  )
}
