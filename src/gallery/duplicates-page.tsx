import { type ReactNode, useEffect } from 'react'
import { nounOf } from '#gallery/api/images/noun.ts'
import { useBoardNames, useVideoCount } from '#gallery/boards/use-boards.ts'
import { DuplicatesPane } from '#gallery/duplicates/duplicates-pane.tsx'
import { ConditionChips } from '#gallery/search/condition-chips.tsx'
import { SearchBox } from '#gallery/search/search-box.tsx'
import { PageHeader } from '#gallery/shell/page-header.tsx'
import { ALL_BOARDS } from '#gallery/url/place-order.ts'

/** The page of the duplicates. Its search chooses the images that are compared. */
export function DuplicatesPage({ notes }: { notes: ReactNode }) {
  const nameOfBoard = useBoardNames()
  const noun = nounOf(Number.POSITIVE_INFINITY, useVideoCount(ALL_BOARDS))
  useEffect(() => {
    document.title = 'Duplicates · Tessera'
  }, [])
  return (
    <main
      aria-label="Duplicates"
      tabIndex={-1}
      className="-outline-offset-2 flex min-h-0 flex-1 flex-col"
    >
      <PageHeader title="Duplicates" view={<SearchBox />} below={<ConditionChips />} />
      {notes}
      <DuplicatesPane noun={noun} nameOfBoard={nameOfBoard} />
    </main>
  )
}
