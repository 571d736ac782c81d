import { ImageOff, LoaderCircle } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { type CompareRequest, closeComparison } from '#gallery/api/images/compare-request.ts'
import { Button } from '#gallery/ui/button.tsx'
import type { Command } from '#gallery/ui/commands/command.ts'
import { Notice } from '#gallery/ui/notice.tsx'
import { Sheet } from '#gallery/ui/popups/drawer.tsx'
import type { Size } from '#gallery/ui/stage/fit-box.ts'
import type { Swipe } from '#gallery/ui/stage/swipe.ts'
import { useElementSize } from '#gallery/ui/use-element-size.ts'
import { useIsCompact, useMedia } from '#gallery/ui/use-media.ts'
import { negated, withCondition } from '#gallery/url/typed-conditions.ts'
import { currentPlace, goTo, showImage } from '#gallery/url/use-place.ts'
import { CompareToolbar } from './compare-toolbar.tsx'
import { actualScale, ComparedStage, largestScale } from './compared-stage.tsx'
import { DifferenceTable } from './difference-table.tsx'
import { differingRows } from './differing-rows.ts'
import { filledBox, zoomedAt } from './linked-zoom.ts'
import { PairStage } from './pair-stage.tsx'
import { columnsFor, typicalShape } from './stage-columns.ts'
import { Strip } from './strip.tsx'
import type { Match } from './tournament-state.ts'
import { useCompareCommands } from './use-compare-commands.ts'
import { useComparedImages, useComparedMetadata } from './use-compared-images.ts'
import { useLinkedZoom } from './use-linked-zoom.ts'
import { usePairMode } from './use-pair-mode.ts'

/** Returns the commands of an image that the comparison shares with the viewer. */
export type CompareCommands = (
  image: ImageRecord,
  context: {
    hasQueue: boolean
    metadata: 'later'
    together: readonly string[]
    compared: null
    onDetails: () => void
    onRemove: () => void
  },
) => readonly Command[]

interface ComparedImagesProps {
  request: CompareRequest
  commandsOf: CompareCommands
  match?: Match
}

const GAP_PX = 2
const CAPTION_PX = { fine: 32, coarse: 44 }
/** Zoom factor of a key press. */
const STEP = 1.5

/** The content of the comparison: the images, the actions on the focused one, and what differs. */
export function ComparedImages({ request, commandsOf, match }: ComparedImagesProps) {
  const api = useGallery()
  const { images, isLoading, remove, hideTrashed, reload } = useComparedImages(request)
  const { compared, hasFailed } = useComparedMetadata(images)
  const rows = compared && differingRows(compared)
  const isCompact = useIsCompact()
  const [pair, setPair] = useState<readonly string[]>([])
  const [wantedAt, setFocusedAt] = useState(0)
  const [isTableOpen, setTableOpen] = useState(false)
  const zoom = useLinkedZoom()
  const { mode, isSecondShown, ...modes } = usePairMode()

  const shown = isCompact ? pairOf(images, pair) : images
  const focusedAt = Math.min(wantedAt, shown.length - 1)
  const focused = shown[focusedAt]
  const numberOf = (image: ImageRecord) => images.indexOf(image) + 1
  const room = useRef<HTMLDivElement>(null)
  const size = useElementSize(room)
  const captionPx = CAPTION_PX[useMedia('(pointer: coarse)') ? 'coarse' : 'fine']
  const [first, second] = shown
  const isPair = shown.length === 2 && first !== undefined && second !== undefined
  const isOver = isPair && mode !== 'side'
  const columns = size && !isOver ? columnsFor(shown.length, typicalShape(shown), sizeOf(size)) : 1
  const stage = size && stageSize(sizeOf(size), isOver ? 1 : shown.length, columns, captionPx)

  const closeIfFew = (left: number) => {
    if (left < 2 && !match) closeComparison()
  }
  const trash = (names: readonly string[]) => {
    hideTrashed(names)
    api.outbox.trash(names)
    closeIfFew(images.length - names.length)
  }
  const left = isLoading ? request.imageNames : namesOf(images)
  useWinnerByDefault(match, left, request.imageNames)
  const star = async ({ image_name, starred }: ImageRecord) => {
    await api.outbox.star([image_name], !starred)?.outcome
    // No window may have the image, and only windows show a change at once.
    await reload(image_name)
  }
  const takeOut = ({ image_name }: ImageRecord) => {
    remove(image_name)
    closeIfFew(images.length - 1)
  }
  /** Shows an image in the place of the focused one, or focuses it if it is shown. */
  const choose = (image: ImageRecord) => {
    const at = shown.indexOf(image)
    if (at >= 0) setFocusedAt(at)
    else setPair(shown.map((one, place) => (place === focusedAt ? image : one).image_name))
  }
  const swiped = (at: number) => (swipe: Swipe) => {
    setFocusedAt(at)
    const others = images.filter((image) => !shown.includes(image))
    const image = shown[at]
    if (swipe === 'down' || image === undefined || others.length === 0) return
    const after = others.find((other) => numberOf(other) > numberOf(image)) ?? others[0]
    const before = others.findLast((other) => numberOf(other) < numberOf(image)) ?? others.at(-1)
    const next = swipe === 'next' ? after : before
    setPair(shown.map((one, place) => ((place === at && next) || one).image_name))
  }
  const zoomBy = (factor: number) => {
    if (focused && stage) zoomFocused(zoom.zoomOf(focused.image_name).scale * factor)
  }
  const zoomFocused = (scale: number) => {
    if (!focused || !stage) return
    const bounded = Math.min(largestScale(focused, stage), Math.max(1, scale))
    const placed = { fitted: filledBox(focused, stage), stage }
    const before = zoom.zoomOf(focused.image_name)
    zoom.setZoom(focused.image_name, zoomedAt(before, bounded, { x: 0, y: 0 }, placed))
  }

  const commands = useCompareCommands({
    own: focused ? commandsOf(focused, contextOf(images)) : [],
    focused,
    isPair,
    onFocus: (step) => setFocusedAt((focusedAt + step + shown.length) % shown.length),
    onStar: (image) => void star(image),
    onTrash: ({ image_name }) => trash([image_name]),
    onKeep: (kept) => trash(namesOf(images.filter((image) => image !== kept))),
    match,
    onRemove: takeOut,
    onOpen: openInViewer,
    onTable: () => setTableOpen(!isTableOpen),
    onLink: ({ image_name }) => zoom.toggle(image_name),
    onZoomBy: (direction) => zoomBy(STEP ** direction),
    onFit: () => zoomFocused(1),
    onActualSize: () => focused && stage && zoomFocused(actualScale(focused, stage)),
    ...modes,
  })
  useFocusOnStage(`${focused?.image_name} ${isOver}`)

  const differing = rows?.map(({ label }) => label).join(', ')
  const onFind = useHasExtension('search_conditions') ? findImages : null
  const table = <DifferenceTable {...{ images, rows, hasFailed, onFind }} />
  return (
    <>
      <CompareToolbar
        title={match?.title ?? titleOf(images.length, isCompact)}
        focused={focused}
        commands={commands}
        pressed={[mode, zoom.isLinked && 'link', isTableOpen && 'differences']}
      />
      <p role="status" className="sr-only">
        {match && `${match.title}. `}
        {images.length > 0 && `Comparing ${images.length} images. `}
        {differing === ''
          ? 'Their details are the same.'
          : differing && `They differ in ${differing}.`}
      </p>
      <section
        ref={room}
        aria-label="Compared images"
        data-theme="dark"
        className="relative min-h-0 flex-1 overflow-hidden bg-sunken text-ink"
      >
        {images.length === 0 && <NoImages isLoading={isLoading} />}
        {stage && isOver && (
          <PairStage
            images={[first, second]}
            numbers={[numberOf(first), numberOf(second)]}
            mode={mode}
            isSecondShown={isSecondShown}
            focusedAt={focusedAt}
            onFocus={setFocusedAt}
            stage={stage}
            zoom={zoom.zoomOf(first.image_name)}
            onZoom={(next) => zoom.setZoom(first.image_name, next)}
            onSwipe={swiped(focusedAt)}
          />
        )}
        {stage && !isOver && images.length > 0 && (
          <ul
            className="grid"
            style={{ gap: GAP_PX, gridTemplateColumns: `repeat(${columns}, ${stage.width}px)` }}
          >
            {shown.map((image, at) => (
              <ComparedStage
                key={image.image_name}
                image={image}
                number={numberOf(image)}
                count={images.length}
                isFocused={at === focusedAt}
                stage={stage}
                zoom={zoom.zoomOf(image.image_name)}
                onZoom={(next) => zoom.setZoom(image.image_name, next)}
                onSwipe={swiped(at)}
                onFocus={() => setFocusedAt(at)}
                onRemove={() => takeOut(image)}
                onWin={match && (() => match.onWin(image.image_name))}
              />
            ))}
          </ul>
        )}
      </section>
      {isCompact && images.length > 2 && <Strip images={images} shown={shown} onChoose={choose} />}
      {isCompact ? (
        <Sheet label="Differences" isOpen={isTableOpen} onClose={() => setTableOpen(false)}>
          <header className="flex items-center justify-between p-2 pl-4">
            <h2 className="font-semibold">Differences</h2>
            <Button tone="quiet" onClick={() => setTableOpen(false)}>
              Close
            </Button>
          </header>
          <ScrollArea>{table}</ScrollArea>
        </Sheet>
      ) : (
        isTableOpen && (
          <aside
            aria-label="Differences"
            className="flex max-h-[40%] shrink-0 flex-col border-line border-t bg-surface"
          >
            <ScrollArea>{table}</ScrollArea>
          </aside>
        )
      )}
    </>
  )
}

const ScrollArea = ({ children }: { children: React.ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by keyboard
  <div className="-outline-offset-2 min-h-0 overflow-auto overscroll-contain" tabIndex={0}>
    {children}
  </div>
)

function NoImages({ isLoading }: { isLoading: boolean }) {
  if (!isLoading) {
    const back = <Button onClick={closeComparison}>Back to the images</Button>
    return (
      <Notice icon={ImageOff} title="There is nothing to compare" actions={back}>
        The images were deleted.
      </Notice>
    )
  }
  return (
    <div role="status" className="flex h-full items-center justify-center text-muted">
      <LoaderCircle aria-hidden size={24} className="animate-spin" />
      <span className="sr-only">Loading the images</span>
    </div>
  )
}

function titleOf(count: number, isCompact: boolean): string {
  if (count === 0) return 'Compare'
  return isCompact ? `${count} images` : `Compare ${count} images`
}

/** Ends a match without its other image, which was deleted or taken out, also by somebody else. */
function useWinnerByDefault(
  match: Match | undefined,
  left: readonly string[],
  imageNames: readonly string[],
): void {
  const winByDefault = useEffectEvent((imageName: string) => match?.onWinByDefault(imageName))
  const last = left.length === 1 ? left[0] : undefined
  useEffect(() => {
    if (last !== undefined && imageNames.includes(last)) winByDefault(last)
  }, [last, imageNames])
}

const namesOf = (images: readonly ImageRecord[]) => images.map(({ image_name }) => image_name)

const contextOf = (images: readonly ImageRecord[]) => ({
  hasQueue: false,
  metadata: 'later' as const,
  together: namesOf(images),
  compared: null,
  onDetails: () => {},
  onRemove: () => {},
})

/** Returns the two images of a phone: the chosen ones, as far as they still exist, then the first others. */
function pairOf(images: readonly ImageRecord[], chosen: readonly string[]): readonly ImageRecord[] {
  const wanted = chosen.flatMap(
    (name) => images.find(({ image_name }) => image_name === name) ?? [],
  )
  return [...new Set([...wanted, ...images])].slice(0, 2)
}

const sizeOf = ({ widthPx, heightPx }: { widthPx: number; heightPx: number }): Size => ({
  width: widthPx,
  height: heightPx,
})

/** Returns the size of one picture area. */
function stageSize(room: Size, count: number, columns: number, captionPx: number): Size {
  const rows = Math.max(1, Math.ceil(count / columns))
  return {
    width: Math.max(1, (room.width - (columns - 1) * GAP_PX) / columns),
    height: Math.max(1, (room.height - (rows - 1) * GAP_PX) / rows - captionPx),
  }
}

function openInViewer({ image_name }: ImageRecord): void {
  closeComparison()
  if (currentPlace().image === null) goTo({ image: image_name })
  else showImage(image_name)
}

/** Adds a condition to the search, and shows what it finds. */
function findImages(condition: string, isExcluded: boolean): void {
  const typed = isExcluded ? negated(condition) : condition
  closeComparison()
  goTo({ query: withCondition(currentPlace().query, typed), image: null })
}

/** Focuses the stage of the focused image, unless a control has the focus. */
function useFocusOnStage(focused: string): void {
  const last = useRef(focused)
  useEffect(() => {
    if (last.current === focused) return
    last.current = focused
    const { activeElement } = document
    const isOnControl = activeElement?.matches('button, input, a') ?? false
    if (isOnControl) return
    document.querySelector<HTMLElement>('[data-stage][tabindex="0"]')?.focus()
  }, [focused])
}
