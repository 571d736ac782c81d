import type { ReactNode } from 'react'
import { type Import, isUnderWay } from '#gallery/api/imports.ts'
import { CopyButton } from '#gallery/ui/copy-button.tsx'
import { formatCount } from '#gallery/ui/count.ts'
import { leftOutOf } from './import-words.ts'

const destinations = { folders: 'A board for each folder', none: 'Assets' }

/** From where to where, in full. */
export function ImportFacts({ run }: { run: Import }) {
  const { folder, boards, board_name, linked, link, watch } = run
  // What it did is no more to come once it has ended.
  const goesOnWatching = watch && (isUnderWay(run) || run.state === 'interrupted')
  const leftOut = leftOutOf(run)
  const to = boards === 'one' ? board_name : destinations[boards]
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1.5 border-line border-t py-3 pr-2 pl-4 text-xs">
      <Fact term="From">
        <span className="min-w-0 truncate" title={folder}>
          {folder}
        </span>
        <span className="-my-3 flex">
          <CopyButton label="Copy path of the folder" text={folder} />
        </span>
      </Fact>
      <Fact term="To">{to}</Fact>
      {link && <Fact term="Linked">{formatCount(linked)}</Fact>}
      {leftOut !== null && <Fact term="Left out">{leftOut}</Fact>}
      {goesOnWatching && <Fact term="Then">keeps watching the folder</Fact>}
    </dl>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{term}</dt>
      <dd className="flex min-w-0 items-center justify-between gap-2">{children}</dd>
    </>
  )
}
