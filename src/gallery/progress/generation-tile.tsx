import { CircleAlert, type LucideIcon, RotateCcw, X } from 'lucide-react'
import {
  cancelGeneration,
  dismissGeneration,
  type Generation,
  retryGeneration,
} from '#gallery/api/queue/generations.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { showToast } from '#gallery/ui/toast.tsx'
import { captionOf, nameOf, percentOf } from './generation-words.ts'
import { MakingTile } from './making-tile.tsx'

interface GenerationTileProps {
  generation: Generation
  column: number
  leftPx: number
  tilePx: number
  isEntry: boolean
  /** How its picture will stand in the tile. */
  fit: 'fit' | 'fill'
}

/** A narrower tile has no room for words, in pixels. */
const WORDS_PX = 104

/** One that is narrower than this, as on a phone, has its button for closing near its middle, in pixels. */
const ROOMY_PX = 140

/** An image that is being made, waits for that, or could not be made (product P18). */
export function GenerationTile({ generation, fit, ...place }: GenerationTileProps) {
  const { itemId, status, preview, sizePx, fraction } = generation
  const { tilePx } = place
  const caption = captionOf(generation)
  const hasFailed = status === 'failed'
  const isRunning = status === 'in_progress'
  const hasWords = tilePx >= WORDS_PX
  const isRoomy = tilePx >= ROOMY_PX
  const end = () => (hasFailed ? dismissGeneration(itemId) : cancel(itemId))
  const act = (key: string): boolean => {
    if (key === 'Delete' || key === 'Backspace') end()
    else if (key === 'Enter' && hasFailed) retry(itemId)
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
          {/* Between two words, for who reads the tile as one text. */ ' '}
          <TileButton
            label="Retry"
            icon={RotateCcw}
            hasWords={hasWords}
            onPress={() => retry(itemId)}
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

/** The box that a picture will have in its square tile, in pixels: where its size is not known, all of it. */
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

/** A button on a tile: 36 px, 44 px under a finger. The tile has a key for the same, so Tab passes it by. */
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
  /** 0 to 1; null: not known, and it turns. */
  fraction: number | null
  label: string
  sizePx: number
}

/** How far something is. */
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

const canceled = new Set<number>()

/** Whether a person has canceled it here: nothing more is to be seen of it. */
export const wasCanceled = (itemId: number): boolean => canceled.has(itemId)

/** Stops an item or takes it out of the queue; says so where that could not be done. */
function cancel(itemId: number): void {
  canceled.add(itemId)
  cancelGeneration(itemId).catch((error: unknown) => {
    canceled.delete(itemId)
    tell('Couldn’t cancel it', () => cancel(itemId))(error)
  })
}

/** Puts a failed item into the queue once more; says so where that could not be done. */
function retry(itemId: number): void {
  retryGeneration(itemId).catch(tell('Couldn’t retry it', () => retry(itemId)))
}

const tell = (title: string, again: () => void) => (error: unknown) =>
  void showToast({
    tone: 'danger',
    title,
    description: reasonOf(error),
    action: { label: 'Retry', run: again },
  })
