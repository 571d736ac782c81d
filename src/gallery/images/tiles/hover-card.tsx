import { PreviewCard } from '@base-ui/react/preview-card'
import { useQuery } from '@tanstack/react-query'
import { Info } from 'lucide-react'
import { memo, useEffect, useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { storedExtensionOf } from '#contract/media-types.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { generatorText } from '#gallery/api/images/generator-text.ts'
import { metadataPart, metadataQueries } from '#gallery/api/images/metadata-queries.ts'
import { useTrashFacts } from '#gallery/api/trash/trash-origin.ts'
import type { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import { type GridNow, loadedRecord } from '#gallery/images/grid/grid-now.ts'
import { type GridItem, useCursorPosition } from '#gallery/images/selection/selection-store.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { switchCommand } from '#gallery/ui/commands/setting-commands.ts'
import { Switch } from '#gallery/ui/options.tsx'
import { createPreferences } from '#gallery/ui/preferences.ts'
import { formatBytes } from '#gallery/ui/text/count.ts'
import { formatDuration } from '#gallery/ui/text/duration.ts'
import { fileNameOf } from '#gallery/ui/text/names.ts'
import { formatTimestamp } from '#gallery/ui/text/timestamp.ts'
import { trashWordsOf } from '#gallery/ui/text/trash-words.ts'
import { itemOf } from './use-tile-presses.ts'

/** How long the pointer or the focus rests on a tile before its card opens, in milliseconds. */
const REST_MS = 400

const usePreference = createPreferences('hover-card', { isOn: true })
const useIsOn = (): boolean => usePreference(({ isOn }) => isOn)
const setOn = (isOn: boolean): void => void usePreference.setState({ isOn })

/** Turns the cards on or off. */
export function HoverCardSwitch() {
  return (
    <Switch isOn={useIsOn()} onChange={setOn}>
      Details on hover
    </Switch>
  )
}

export function useHoverCardCommand(): void {
  const setting = { id: 'hoverCard', label: 'Details on hover', icon: Info, isOn: useIsOn() }
  useCommands('View', [switchCommand(setting, setOn)])
}

interface Rested extends GridItem {
  readonly tile: Element
}

interface HoverCardProps {
  grid: GridHandle
  now: GridNow
}

/**
 * A card below the tile on which the pointer or the focus rests: what the image is. It takes no clicks, and screen
 * readers skip it, because the tile's own name and the details of the viewer tell the same.
 */
export const HoverCard = memo(function HoverCard({ grid, now }: HoverCardProps) {
  const isOn = useIsOn()
  const [rested, setRested] = useState<Rested | null>(null)
  const cursor = useCursorPosition()
  useEffect(() => {
    if (isOn) return watchRest(grid, setRested)
  }, [grid, isOn])
  useEffect(() => {
    const { element } = grid
    const isByKey = element?.dataset.keys !== undefined && document.activeElement === element
    if (!isOn || cursor === null || !isByKey) return
    const timer = setTimeout(() => setRested(restedOn(element, cursor)), REST_MS)
    return () => {
      clearTimeout(timer)
      setRested(null)
    }
  }, [grid, isOn, cursor])

  const record = rested ? loadedRecord(now, rested.position) : undefined
  // After a change of the view the tile shows another image.
  const isSame = record !== undefined && record.image_name === rested?.imageName
  return (
    <PreviewCard.Root open={isOn && isSame}>
      <PreviewCard.Portal>
        <PreviewCard.Positioner
          anchor={rested?.tile ?? null}
          side="bottom"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className="pointer-events-none z-20"
        >
          <PreviewCard.Popup
            aria-hidden
            data-hover-card
            className="w-72 rounded-md border border-line bg-raised p-3 text-sm shadow-floating transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0 motion-reduce:transition-none"
          >
            {isSame && <Facts now={now} record={record} position={rested.position} />}
          </PreviewCard.Popup>
        </PreviewCard.Positioner>
      </PreviewCard.Portal>
    </PreviewCard.Root>
  )
})

function Facts({ now, record, position }: { now: GridNow; record: ImageRecord; position: number }) {
  const { client } = useGallery()
  const together = metadataPart(now.windows, position)
  const { data: metadata = null } = useQuery(
    metadataQueries(client).normal(record.image_name, together),
  )
  const prompt = metadata?.prompt ?? record.prompt_start ?? metadata?.texts?.[0]
  const facts = useTrashFacts()(record)
  const words = facts && trashWordsOf(facts)
  const maker = makerOf(metadata)
  const { width, height, file_size: bytes, media_type: mediaType, video } = record
  const file = [
    `${width} × ${height}`,
    video && formatDuration(video.duration),
    mediaType && storedExtensionOf(mediaType).toUpperCase(),
    bytes !== null && formatBytes(bytes),
  ]
  return (
    <>
      <p dir="auto" className="truncate font-semibold">
        {fileNameOf(record)}
      </p>
      <p className="text-muted text-xs leading-5 tabular-nums">
        {file.filter(Boolean).join(' · ')}
      </p>
      <p className="text-muted text-xs leading-5">
        {formatTimestamp(record.taken_at ?? record.created_at)}
      </p>
      {words && (
        <p className="flex gap-1 text-muted text-xs leading-5">
          <bdi className="truncate">{words.origin}</bdi>
          <span className="shrink-0">· {words.timeLeft}</span>
        </p>
      )}
      {maker !== '' && (
        <p dir="auto" className="truncate text-muted text-xs leading-5">
          {maker}
        </p>
      )}
      {record.rating > 0 && (
        <p className="text-star text-xs leading-5">{'★'.repeat(record.rating)}</p>
      )}
      {record.tags.length > 0 && (
        <p dir="auto" className="truncate text-muted text-xs leading-5">
          {record.tags.join(', ')}
        </p>
      )}
      {prompt && (
        <p dir="auto" className="wrap-anywhere mt-1.5 line-clamp-2">
          {prompt}
        </p>
      )}
    </>
  )
}

/** Returns what made an image: its generator and model, or its camera. */
const makerOf = (metadata: NormalMetadata | null): string => {
  if (metadata === null) return ''
  const { model, camera } = metadata
  return [generatorText(metadata), model, camera].filter(Boolean).join(' · ')
}

const restedOn = (element: HTMLElement | null, position: number): Rested | null => {
  const tile = element?.querySelector(`[data-position="${position}"]`)
  const item = tile ? itemOf(tile) : null
  return tile && item ? { ...item, tile } : null
}

/** Events that end a rest, besides a move of the pointer to another tile. */
const ENDS = ['pointerdown', 'pointerleave', 'wheel', 'scroll', 'dragstart', 'contextmenu'] as const

/** Calls `onRest` with the tile on which a mouse or pen rests, and with null when it moves on or does something else. */
function watchRest(grid: GridHandle, onRest: (rested: Rested | null) => void): () => void {
  const { element } = grid
  const listening = new AbortController()
  const options = { signal: listening.signal, passive: true, capture: true }
  let timer: ReturnType<typeof setTimeout> | undefined
  let position: number | null = null
  const end = () => {
    clearTimeout(timer)
    position = null
    onRest(null)
  }
  const note = ({ target, pointerType, buttons }: PointerEvent) => {
    const item = target === null || pointerType === 'touch' || buttons > 0 ? null : itemOf(target)
    if (item?.position === position) return
    if (position !== null) end()
    if (item === null || element === null) return
    position = item.position
    timer = setTimeout(() => onRest(restedOn(element, item.position)), REST_MS)
  }
  element?.addEventListener('pointermove', note, options)
  for (const event of ENDS) element?.addEventListener(event, end, options)
  window.addEventListener('keydown', end, options)
  return () => {
    listening.abort()
    clearTimeout(timer)
    onRest(null)
  }
}
