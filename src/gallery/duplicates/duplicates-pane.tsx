import { CopyCheck, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { MAX_HASH_DISTANCE } from '#contract/limits.ts'
import { useRereading } from '#gallery/api/connection/rereading.ts'
import type { Noun } from '#gallery/api/images/noun.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { Button } from '#gallery/ui/button.tsx'
import { focusFallback } from '#gallery/ui/keys/focus.ts'
import { Notice } from '#gallery/ui/notice.tsx'
import { Choice } from '#gallery/ui/options.tsx'
import { countOf, formatBytes, formatCount } from '#gallery/ui/text/count.ts'
import { useElementSize } from '#gallery/ui/use-element-size.ts'
import { NARROW, useIsShort, useMedia } from '#gallery/ui/use-media.ts'
import { goTo, usePlace } from '#gallery/url/use-place.ts'
import { MATCHES, wordsOfDistance } from './duplicate-words.ts'
import { forgetChoices, setLikeness, useLikeness } from './duplicates-store.ts'
import { GroupList } from './group-list.tsx'
import { KeepAll } from './keep-all.tsx'
import { useDuplicates, useDuplicateView } from './use-duplicates.ts'

interface DuplicatesPaneProps {
  /** The word for what is compared. */
  noun: Noun
  nameOfBoard: (boardId: string) => string
}

/** The groups of duplicates, and how much alike they must be. */
export function DuplicatesPane({ noun, nameOfBoard }: DuplicatesPaneProps) {
  const view = useDuplicateView()
  const [canceled, setCanceled] = useState<typeof view | null>(null)
  const isCanceled = canceled === view
  const duplicates = useDuplicates(view, !isCanceled)
  const { summary, groups, error, isPlaceholderData, isFetching } = duplicates
  useEffect(() => forgetChoices, [])
  const progress = summary?.progress ?? null
  // Without groups, all loaded ones are being deleted or dismissed, and the next page comes after the answer.
  const counted = groups.length > 0 ? summary : undefined
  const isComparing = !isCanceled && (isPlaceholderData || progress !== null)
  const retry = () =>
    void (duplicates.isFetchNextPageError ? duplicates.fetchNextPage() : duplicates.refetch())
  const scroller = useRef<HTMLElement>(null)
  const header = useRef<HTMLDivElement>(null)
  const headerPx = useElementSize(header)?.heightPx ?? 0
  const isNarrow = useMedia(NARROW)
  const isShort = useIsShort()
  const isHeaderFixed = !isNarrow && !isShort
  return (
    <section
      ref={scroller}
      aria-label="Groups"
      {...focusFallback}
      className="-outline-offset-2 relative flex min-h-0 flex-1 flex-col overflow-y-auto"
      style={{ scrollPaddingTop: isHeaderFixed ? headerPx : 0 }}
    >
      <div
        ref={header}
        className={`flex shrink-0 flex-wrap items-end gap-x-6 gap-y-3 border-line border-b bg-surface px-4 py-3 md:px-6 ${isHeaderFixed ? 'sticky top-0 z-10' : ''}`}
      >
        <LikenessChoice />
        <div className="flex min-w-0 flex-1 basis-72 flex-wrap items-center justify-end gap-x-4 gap-y-2">
          <p
            aria-live="polite"
            className="flex-1 whitespace-nowrap text-muted text-sm tabular-nums max-sm:basis-full"
          >
            {counted !== undefined &&
              `${countOf(counted.total, 'group')}, ${countOf(counted.image_count, noun)}, ${formatBytes(counted.bytes)} to gain`}
          </p>
          {counted !== undefined && !isComparing && (
            <KeepAll
              view={view}
              groupCount={counted.total}
              imageCount={counted.image_count}
              bytes={counted.bytes}
            />
          )}
        </div>
      </div>
      <DescribingNote />
      {isComparing && progress !== null && (
        <Comparing {...progress} noun={noun} onCancel={() => setCanceled(view)} />
      )}
      {error !== null && groups.length > 0 && (
        <p role="alert" className="shrink-0 px-4 pt-3 text-danger text-sm md:px-6">
          Not all groups could be loaded. {reasonOf(error)}{' '}
          <button type="button" className="underline" onClick={retry}>
            Retry
          </button>
        </p>
      )}
      {groups.length > 0 ? (
        <GroupList
          groups={groups}
          scroller={scroller}
          coveredPx={isHeaderFixed ? headerPx : 0}
          total={summary?.total ?? groups.length}
          nameOfBoard={nameOfBoard}
          onMore={
            duplicates.hasNextPage && !isFetching && error === null
              ? () => void duplicates.fetchNextPage()
              : undefined
          }
        />
      ) : (
        <div className="flex min-h-64 flex-1 flex-col">
          {error !== null ? (
            <Notice
              icon={TriangleAlert}
              tone="danger"
              title="The duplicates could not be loaded"
              actions={<Button onClick={retry}>Retry</Button>}
            >
              {reasonOf(error)}
            </Notice>
          ) : isCanceled ? (
            <Notice
              icon={CopyCheck}
              title="Comparison canceled"
              actions={<Button onClick={() => setCanceled(null)}>Compare again</Button>}
            />
          ) : isComparing || summary === undefined || summary.total > 0 ? (
            <div aria-busy className="flex flex-1 items-center justify-center text-muted">
              {isComparing || summary === undefined
                ? `Comparing the ${noun}s…`
                : 'Saving your changes…'}
            </div>
          ) : (
            <NoDuplicates noun={noun} />
          )}
        </div>
      )}
    </section>
  )
}

function LikenessChoice() {
  const { match, distance } = useLikeness()
  return (
    <div className="flex min-w-0 max-w-full flex-wrap items-end gap-x-6 gap-y-2 max-sm:w-full">
      <div className="w-[26rem] max-w-full">
        <Choice
          label="How much alike"
          value={match}
          options={MATCHES}
          onChoose={(chosen) => setLikeness({ match: chosen })}
        />
      </div>
      {match === 'near' && (
        <label className="flex w-48 flex-col max-sm:w-full font-medium text-muted text-xs">
          {wordsOfDistance(distance)}
          <input
            type="range"
            aria-label="Allowed differences"
            aria-valuetext={`${distance} of ${MAX_HASH_DISTANCE}, ${wordsOfDistance(distance).toLowerCase()}`}
            min={0}
            max={MAX_HASH_DISTANCE}
            value={distance}
            onChange={(event) => setLikeness({ distance: event.currentTarget.valueAsNumber })}
            className="h-9 w-full min-w-0 accent-accent pointer-coarse:h-11"
          />
        </label>
      )}
    </div>
  )
}

interface ComparingProps {
  noun: Noun
  done: number
  total: number
  onCancel: () => void
}

function Comparing({ noun, done, total, onCancel }: ComparingProps) {
  return (
    <div className="flex shrink-0 items-center gap-4 px-4 pt-3 text-sm md:px-6">
      <span className="shrink-0 text-muted tabular-nums">
        {total === 0
          ? `Comparing the ${noun}s`
          : `Compared ${formatCount(done)} of ${countOf(total, noun)}`}
      </span>
      <progress
        aria-label="Comparison"
        {...(total > 0 && { value: done, max: total })}
        className="h-1 min-w-0 flex-1 accent-accent"
      />
      <Button tone="quiet" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}

/** While the server still describes the pictures of an older library, groups may be missing. */
function DescribingNote() {
  const rereading = useRereading()
  if (rereading === null) return null
  const { done, total } = rereading
  return (
    <p className="shrink-0 px-4 pt-3 text-muted text-sm md:px-6">
      Tessera still looks at your older images ({formatCount(done)} of {formatCount(total)}). More
      duplicates may appear.
    </p>
  )
}

function NoDuplicates({ noun }: { noun: Noun }) {
  const { query } = usePlace()
  const isSearched = query.trim() !== ''
  return (
    <Notice
      icon={CopyCheck}
      title="No duplicates"
      actions={
        isSearched && <Button onClick={() => goTo({ query: '' })}>Look at all images</Button>
      }
    >
      {isSearched
        ? `The ${noun}s that the search finds are all different.`
        : `The ${noun}s that you have more than once are shown here.`}
    </Notice>
  )
}
