import { ChevronRight } from 'lucide-react'
import { type ReactNode, type RefObject, Suspense } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { RovingFocus } from '#gallery/boards/use-roving-focus.ts'
import type { Command } from '#gallery/ui/commands/command.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { lazyPart } from '#gallery/ui/lazy-part.ts'
import { openContextMenu } from '#gallery/ui/popups/context-menu.tsx'
import type { ShownMarks } from './shown-marks.ts'
import { askToRenameTag, setTagFolded, toggleRatings, toggleTags } from './tag-store.ts'
import type { TagRow } from './tag-tree.ts'

// They load when a section is unfolded.
const RatingRows = lazyPart(async () => (await import('./mark-rows.tsx')).RatingRows)
const TagRows = lazyPart(async () => (await import('./mark-rows.tsx')).TagRows)

interface MarksProps {
  nav: RefObject<HTMLElement | null>
  roving: RovingFocus
  marks: ShownMarks
}

/** The sections of ratings and tags in the sidebar. Both are folded at first. */
export function Marks({ nav, roving, marks }: MarksProps) {
  const { hasRatings, hasTags, areRatingsShown, areTagsShown, rows, leftOut } = marks
  useTagKeys(nav, marks)
  return (
    <>
      {hasRatings && (
        <Section name="Ratings" isShown={areRatingsShown} onToggle={toggleRatings}>
          <RatingRows roving={roving} />
        </Section>
      )}
      {hasTags && (
        <Section name="Tags" isShown={areTagsShown} onToggle={toggleTags}>
          {rows && <TagRows roving={roving} rows={rows} leftOut={leftOut} />}
        </Section>
      )}
    </>
  )
}

interface SectionProps {
  name: string
  isShown: boolean
  onToggle: () => void
  children: ReactNode
}

const Section = ({ name, isShown, onToggle, children }: SectionProps) => (
  <section aria-label={name} className="flex shrink-0 flex-col">
    <h2 className="px-2 pt-1 font-medium text-muted text-xs">
      <button
        type="button"
        aria-expanded={isShown}
        onClick={onToggle}
        className="flex h-8 w-full items-center gap-1 rounded px-2 hover:bg-hover pointer-coarse:h-11"
      >
        {name}
        <ChevronRight
          aria-hidden
          size={14}
          className={`transition-transform motion-reduce:transition-none ${isShown ? 'rotate-90' : ''}`}
        />
      </button>
    </h2>
    {isShown && <Suspense fallback={null}>{children}</Suspense>}
  </section>
)

/** The commands with keys, which are listed before the others are loaded. */
const KEYED: readonly Omit<Command, 'run'>[] = [
  { id: 'tag.rename', label: 'Rename…', name: 'Rename the tag', keys: 'F2' },
  { id: 'tag.delete', label: 'Delete tag', name: 'Delete the tag', keys: 'Delete', isDanger: true },
]

/** Registers the shortcuts of the focused tag. Also without one, so that they come before the keys of the grid. */
function useTagKeys(nav: RefObject<HTMLElement | null>, { hasTags, rows }: ShownMarks): void {
  const api = useGallery()
  const tagAt = (target: EventTarget | null) => {
    if (!(target instanceof Element) || !nav.current?.contains(target)) return undefined
    const element = target.closest<HTMLElement>('[data-tag]')
    return rows?.find(({ name }) => name === element?.dataset.tag)
  }
  const run = async (tag: TagRow, id: string) => {
    // At once: the user may type the name while the other commands load.
    if (id === 'tag.rename') return askToRenameTag(tag)
    const { tagCommands } = await import('./tag-commands.ts')
    tagCommands(api, tag)
      .find((command) => command.id === id)
      ?.run()
  }
  const commandsOf = (tagOf: (event?: KeyboardEvent) => TagRow | undefined): Command[] =>
    KEYED.map((command) => ({
      ...command,
      run: (event) => {
        const tag = tagOf(event)
        if (tag) void run(tag, command.id)
      },
    }))
  const onFocused =
    (act: (tag: TagRow, event: KeyboardEvent) => void) => (event?: KeyboardEvent) => {
      const tag = event && tagAt(event.target)
      if (tag) act(tag, event)
    }
  const moves: Command[] = [
    {
      id: 'tag.unfold',
      isKeyOnly: true,
      keys: 'ArrowRight',
      label: 'Show the tags below, or options',
      run: onFocused(({ name, isFolded }, event) =>
        isFolded ? setTagFolded(name, false) : openContextMenu(event.target),
      ),
    },
    {
      id: 'tag.fold',
      isKeyOnly: true,
      keys: 'ArrowLeft',
      label: 'Hide the tags below',
      run: onFocused(({ name }) => setTagFolded(name, true)),
    },
  ]
  useCommands(
    'Boards',
    hasTags ? [...commandsOf((event) => event && tagAt(event.target)), ...moves] : [],
    {
      within: () => nav.current,
      when: ({ target }) => tagAt(target) !== undefined,
      now: () => {
        const tag = tagAt(document.activeElement)
        return tag ? commandsOf(() => tag).map((command) => ({ ...command, about: tag.name })) : []
      },
    },
  )
}
