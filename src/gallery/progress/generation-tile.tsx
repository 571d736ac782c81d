import { CircleAlert, type LucideIcon, RotateCcw, X } from 'lucide-react'
import { create } from 'zustand'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { Generation } from '#gallery/api/queue/generations-of.ts'
import type { Queue } from '#gallery/api/queue/queue.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { showFailure } from '#gallery/ui/toasts/toast.tsx'
import { captionOf, nameOf, percentOf } from './generation-words.ts'
import { MakingTile, type TilePlace } from './making-tile.tsx'

interface GenerationTileProps extends TilePlace {
  generation: Generation
  /** Determines whether its image will fit into the tile or fill it. */
  fit: 'fit' | 'fill'
}

/** The minimum tile width for text, in pixels. */
const WORDS_PX = 104

/** The minimum tile width for the roomy layout, in pixels. In narrower tiles the close button is near the center. */
const ROOMY_PX = 140

/** A grid tile for a running, waiting or failed generation. */
export function GenerationTile({ generation, fit, ...place }: GenerationTileProps) {
  const { generations, queue } = useGallery()
  const { itemId, status, preview, sizePx, fraction } = generation
  const { tilePx } = place
  const caption = captionOf(generation)
  const hasFailed = status === 'failed'
  const isRunning = status === 'in_progress'
  const hasWords = tilePx >= WORDS_PX
  const isRoomy = tilePx >= ROOMY_PX
  const end = () => (hasFailed ? generations.dismiss([itemId]) : cancel(queue, itemId))
  const act = (key: string): boolean => {
    if (key === 'Delete' || key === 'Backspace') end()
    else if (key === 'Enter' && hasFailed) retry(queue, itemId)
    else return false
    return true
  }

  return (
    <MakingTile {...place} itemId={itemId} name={nameOf(generation)} onKey={act}>
      <div
        className={`relative overflow-hidden rounded-sm bg-center bg-cover ${hasFailed ? 'border border-danger bg-danger-soft' : 'bg-hover'} ${status === 'pending' ? 'border border-line border-dashed' : ''}`}
        style={{
          ...pictureBoxOf(sizePx, tilePx, hasFailed ? 'fill' : fit),
          backgroundImage: preview === null || hasFailed ? undefined : `url("${preview}")`,
        }}
      />
      {hasFailed ? (
        <div
          className={`absolute inset-0 flex flex-col items-center gap-1 overflow-hidden p-2 text-center text-danger ${hasWords && !isRoomy ? 'justify-end' : 'justify-center'}`}
        >
          {(isRoomy || !hasWords) && <CircleAlert aria-hidden size={20} className="shrink-0" />}
          {hasWords && (
            <p
              className={`shrink-0 break-words text-xs ${isRoomy ? 'line-clamp-3' : 'line-clamp-2'}`}
            >
              {caption}
            </p>
          )}
          {/* A space between the words, for screen readers that read the tile as one text. */ ' '}
          <TileButton
            label="Retry"
            icon={RotateCcw}
            hasWords={hasWords}
            onPress={() => retry(queue, itemId)}
          />
        </div>
      ) : (
        <div className="pointer-events-none absolute inset-0 flex flex-col items-center justify-center gap-2 text-muted">
          {isRunning && (
            <span
              className={`flex rounded-full ${isRoomy ? 'p-1' : 'p-0.5'} ${preview === null ? 'text-accent' : 'bg-black/55 text-white'}`}
            >
              <ProgressRing
                fraction={fraction}
                label={caption}
                sizePx={isRoomy ? 40 : hasWords ? 36 : 32}
              />
            </span>
          )}
          {hasWords && (
            <p
              className={`max-w-[calc(100%-0.5rem)] truncate px-2 text-xs ${preview === null ? '' : 'rounded-full bg-black/55 py-0.5 text-white'}`}
            >
              {caption}
            </p>
          )}
        </div>
      )}
      {status !== 'completed' && (
        <TileButton
          label={hasFailed ? 'Dismiss' : 'Cancel'}
          icon={X}
          onPress={end}
          className={`absolute top-0 right-0 ${status === 'pending' ? 'pointer-fine:opacity-0 pointer-fine:group-focus-visible:opacity-100 pointer-fine:group-hover:opacity-100' : ''}`}
        />
      )}
    </MakingTile>
  )
}

/** Returns the box of the image in its square tile, in pixels; the whole tile if its size is unknown. */
function pictureBoxOf(
  sizePx: Generation['sizePx'],
  tilePx: number,
  fit: 'fit' | 'fill',
): { width: number; height: number } {
  if (fit === 'fill' || sizePx === null) return { width: tilePx, height: tilePx }
  const scale = tilePx / Math.max(sizePx.width, sizePx.height)
  return {
    width: Math.max(1, Math.round(sizePx.width * scale)),
    height: Math.max(1, Math.round(sizePx.height * scale)),
  }
}

interface TileButtonProps {
  label: string
  icon: LucideIcon
  hasWords?: boolean
  onPress: () => void
  className?: string
}

/** A button on a tile: 36 px, or 44 px for touch. It is not a tab stop, because the tile has a key for the action. */
function TileButton(props: TileButtonProps) {
  const { label, icon: Icon, hasWords = false, onPress, className = '' } = props
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      tabIndex={-1}
      onClick={onPress}
      className={`pointer-events-auto flex h-9 min-w-9 shrink-0 items-center justify-center rounded pointer-coarse:h-11 pointer-coarse:min-w-11 ${className}`}
    >
      {hasWords ? (
        <span className="flex items-center gap-1 rounded px-2 font-semibold text-sm hover:underline">
          <Icon aria-hidden size={14} />
          {label}
        </span>
      ) : (
        <span className="flex size-6 items-center justify-center rounded-full bg-black/45 text-white">
          <Icon aria-hidden size={14} />
        </span>
      )}
    </button>
  )
}

interface ProgressRingProps {
  /** The progress from 0 to 1. The ring spins if it is null (unknown). */
  fraction: number | null
  label: string
  sizePx: number
}

function ProgressRing({ fraction, label, sizePx }: ProgressRingProps) {
  const percent = percentOf(fraction)
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
      className="relative flex shrink-0 items-center justify-center"
      style={{ width: sizePx, height: sizePx }}
    >
      <svg
        aria-hidden
        viewBox="0 0 36 36"
        className={`absolute inset-0 size-full -rotate-90 ${percent === null ? 'animate-[spin_1.2s_linear_infinite] motion-reduce:animate-none' : ''}`}
      >
        <circle {...circle} className="stroke-current opacity-25" />
        <circle
          {...circle}
          pathLength={100}
          strokeDasharray={`${percent ?? 25} 100`}
          strokeLinecap="round"
          className="stroke-current transition-[stroke-dasharray] duration-300"
        />
      </svg>
      {percent !== null && sizePx >= 36 && (
        <span aria-hidden className="font-semibold text-xs tabular-nums">
          {percent}
        </span>
      )}
    </span>
  )
}

const circle = { cx: 18, cy: 18, r: 16, fill: 'none', strokeWidth: 3 }

/** The items that the user canceled in this tab, so that their tiles are hidden. */
const useCanceled = create<{ itemIds: ReadonlySet<number> }>(() => ({ itemIds: new Set() }))

export const useCanceledItems = (): ReadonlySet<number> => useCanceled(({ itemIds }) => itemIds)

function cancel(queue: Queue, itemId: number): void {
  useCanceled.setState(({ itemIds }) => ({ itemIds: new Set(itemIds).add(itemId) }))
  queue.cancel(itemId).catch((error: unknown) => {
    useCanceled.setState(({ itemIds }) => ({
      itemIds: new Set([...itemIds].filter((one) => one !== itemId)),
    }))
    showFailure('Couldn’t cancel it', reasonOf(error), () => cancel(queue, itemId))
  })
}

function retry(queue: Queue, itemId: number): void {
  queue.retry([itemId]).catch((error: unknown) => {
    showFailure('Couldn’t retry it', reasonOf(error), () => retry(queue, itemId))
  })
}
