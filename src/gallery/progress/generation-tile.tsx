import { CircleAlert, RotateCcw, X } from 'lucide-react'
import { dismissGeneration, type Generation } from '#gallery/api/generations.ts'
import { cancel, retry } from './act-on-generation.ts'
import { captionOf, nameOf } from './generation-words.ts'
import { MakingTile } from './making-tile.tsx'
import { pictureBoxOf } from './picture-box.ts'
import { ProgressRing } from './progress-ring.tsx'
import { TileButton } from './tile-button.tsx'

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
