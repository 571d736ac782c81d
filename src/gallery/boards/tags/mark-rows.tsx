import { ChevronRight, Star } from 'lucide-react'
import { useRef, useState } from 'react'
import { MAX_RATING } from '#contract/limits.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { NavRow, RowOptions } from '#gallery/boards/nav-row.tsx'
import type { RovingFocus } from '#gallery/boards/use-roving-focus.ts'
import { useAutoScroll, useDropTarget, useSpringLoading } from '#gallery/ui/drag/drop.ts'
import { ContextMenu } from '#gallery/ui/popups/context-menu.tsx'
import {
  CommandItems,
  createSharedMenu,
  SharedMenu,
  SharedMenuButton,
} from '#gallery/ui/popups/menu.tsx'
import { TagDot } from '#gallery/ui/tag-dot.tsx'
import { countOf, formatCount } from '#gallery/ui/text/count.ts'
import { keyOfRating, keyOfTag, placeOfRating, placeOfTag, RATINGS } from './marks.ts'
import { tagCommands } from './tag-commands.ts'
import { askToRenameTag, setTagFolded } from './tag-store.ts'
import type { TagRow } from './tag-tree.ts'
import { countOfRating, countsOfTag, useMarkCounts } from './use-mark-counts.ts'

/** The images with at least so many stars. A drop rates images. */
export function RatingRows({ roving }: { roving: RovingFocus }) {
  const { all, found } = useMarkCounts('rating')
  return (
    <ul className="px-2">
      {RATINGS.map((rating) => (
        <li key={rating}>
          <RatingRow
            rating={rating}
            count={countOfRating(all, rating)}
            found={countOfRating(found, rating)}
            focus={roving.propsOf(keyOfRating(rating))}
          />
        </li>
      ))}
    </ul>
  )
}

interface Counts {
  /** undefined: not known. */
  count: number | undefined
  /** The number of found images. undefined: nothing is searched, or it is not known. */
  found: number | undefined
}

interface RatingRowProps extends Counts {
  rating: number
  focus: ReturnType<RovingFocus['propsOf']>
}

function RatingRow({ rating, focus, count, found }: RatingRowProps) {
  const row = useRef<HTMLDivElement>(null)
  const { isOver } = useDropTarget(row, {
    kind: 'images',
    onDrop: ({ raise }) => raise(rating),
  })
  const name = `${countOf(rating, 'star')}${rating === MAX_RATING ? '' : ' or more'}`
  return (
    <div ref={row}>
      <NavRow
        board={keyOfRating(rating)}
        search={placeOfRating(rating)}
        name={name}
        count={count}
        found={found}
        icon={<Star aria-hidden size={18} strokeWidth={1.75} />}
        isDropTarget={isOver}
        focus={focus}
      />
    </div>
  )
}

const rowMenu = createSharedMenu<string>()

interface TagRowsProps {
  roving: RovingFocus
  rows: readonly TagRow[]
  leftOut: number
}

/** The tags of the library as a tree. A drop tags images. */
export function TagRows({ roving, rows, leftOut }: TagRowsProps) {
  const api = useGallery()
  const list = useRef<HTMLDivElement>(null)
  const [menuName, setMenuName] = useState<string | null>(null)
  const known = useMarkCounts('tag_level')
  useAutoScroll(list)
  const byName = (name: string | null) => rows.find((row) => row.name === name)
  const menuRow = byName(menuName)
  return (
    <>
      <ContextMenu
        label={menuRow?.name ?? 'Tag'}
        heading={<bdi>{menuRow?.name}</bdi>}
        onOpen={({ target }) => {
          const row = target instanceof Element ? target.closest<HTMLElement>('[data-tag]') : null
          setMenuName(row?.dataset.tag ?? null)
          return row
        }}
        opensByTouch
        area={
          <div
            ref={list}
            // Chromium makes a scroller without tabindex a tab stop, and it would have no accessible name.
            tabIndex={-1}
            className="px-2 outline-none not-short:max-h-[35vh] not-short:overflow-y-auto not-short:overscroll-contain"
          >
            {rows.length === 0 && (
              <p className="px-2 py-1 text-muted text-xs">No tags yet. Press T on an image.</p>
            )}
            <ul>
              {rows.map((row) => (
                <li key={row.name}>
                  <TagRowItem
                    row={row}
                    {...countsOfTag(known, row)}
                    focus={roving.propsOf(keyOfTag(row.name))}
                  />
                </li>
              ))}
            </ul>
            {leftOut > 0 && (
              <p className="px-2 py-1 text-muted text-xs">
                {formatCount(leftOut)} more. Type tag: into the search to find them.
              </p>
            )}
          </div>
        }
      >
        {menuRow && <CommandItems commands={tagCommands(api, menuRow)} />}
      </ContextMenu>
      <SharedMenu menu={rowMenu}>
        {(name) => {
          const row = byName(name)
          return row && <CommandItems commands={tagCommands(api, row)} />
        }}
      </SharedMenu>
    </>
  )
}

interface TagRowItemProps extends Counts {
  row: TagRow
  focus: ReturnType<RovingFocus['propsOf']>
}

function TagRowItem({ row, focus, count, found }: TagRowItemProps) {
  const { name, label, depth, tag, hasLevels, isFolded } = row
  const element = useRef<HTMLDivElement>(null)
  const { isOver } = useDropTarget(element, {
    kind: 'images',
    onDrop: (images) => images.tag(name),
  })
  useSpringLoading(element, () => hasLevels && setTagFolded(name, false))
  return (
    <div ref={element} data-tag={name} className="relative flex items-center">
      {hasLevels && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={`Tags below ${name}`}
          aria-expanded={!isFolded}
          onClick={() => setTagFolded(name, !isFolded)}
          style={{ marginInlineStart: `${depth * 0.75 - 0.375}rem` }}
          className="absolute z-10 flex h-6 w-5 items-center justify-center rounded text-muted hover:bg-hover hover:text-ink pointer-coarse:size-11 pointer-coarse:justify-start pointer-coarse:pl-1"
        >
          <ChevronRight
            aria-hidden
            size={14}
            className={`transition-transform motion-reduce:transition-none ${isFolded ? '' : 'rotate-90'}`}
          />
        </button>
      )}
      <div className="min-w-0 flex-1">
        <NavRow
          board={keyOfTag(name)}
          search={placeOfTag(row)}
          name={name}
          label={label}
          depth={depth}
          count={count}
          found={found}
          icon={<TagDot color={tag?.color ?? null} />}
          isDropTarget={isOver}
          focus={focus}
          onDoubleClick={() => askToRenameTag(row)}
        >
          <SharedMenuButton menu={rowMenu} row={name} trigger={<RowOptions name={name} />} />
        </NavRow>
      </div>
    </div>
  )
}
