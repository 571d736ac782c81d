import { CircleCheck, Star, Undo2, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { type CompareRequest, closeComparison } from '#gallery/api/images/compare-request.ts'
import { drawnUrl } from '#gallery/api/images/drawn-url.ts'
import { Button, IconButton } from '#gallery/ui/button.tsx'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { countOf } from '#gallery/ui/text/count.ts'
import { fileNameOf } from '#gallery/ui/text/names.ts'
import { useElementSize } from '#gallery/ui/use-element-size.ts'
import { COMPARE_SCOPE, compareKeys, comparisonElement } from './compare-keys.ts'
import { type CompareCommands, ComparedImages } from './compared-images.tsx'
import { Layer } from './compared-stage.tsx'
import { WHOLE } from './linked-zoom.ts'
import { afterMatch, firstMatch } from './tournament-state.ts'
import { useComparedImages } from './use-compared-images.ts'

interface TournamentProps {
  request: CompareRequest
  commandsOf: CompareCommands
}

/** Compares more images than fit beside each other: two at a time, and the better one meets the next. */
export function Tournament({ request, commandsOf }: TournamentProps) {
  const { imageNames, records } = request
  const [state, setState] = useState(() => firstMatch(imageNames))
  const { match, winner, waiting, out, before } = state
  const back = before && (() => setState(before))
  useLoaded(waiting[0], records)
  if (match === null) {
    return (
      <Winner
        imageName={winner ?? ''}
        others={imageNames.filter((name) => name !== winner && !out.includes(name))}
        records={records}
        onBack={back}
      />
    )
  }
  const matches = imageNames.length - 1
  return (
    <ComparedImages
      request={{ imageNames: match, records }}
      commandsOf={commandsOf}
      match={{
        title: `Match ${matches - waiting.length} of ${matches}`,
        onWin: (name) => setState(afterMatch(state, name)),
        onWinByDefault: (name) => setState(afterMatch(state, name, { isOtherOut: true })),
        onBack: back,
      }}
    />
  )
}

/** Loads the picture of the next image, so that its match begins at once. */
function useLoaded(imageName: string | undefined, records: readonly ImageRecord[]): void {
  const { client } = useGallery()
  const imageNames = imageName === undefined ? [] : [imageName]
  const [next] = useComparedImages({ imageNames, records }).images
  const urls = next && [client.images.thumbnailUrl(next), drawnUrl(client, next)].join('\n')
  useEffect(() => {
    for (const url of urls?.split('\n') ?? []) new Image().src = url
  }, [urls])
}

interface WinnerProps {
  imageName: string
  /** The other images that are still in the tournament. */
  others: readonly string[]
  records: readonly ImageRecord[]
  onBack: (() => void) | null
}

/** The image that is left, and what can happen to the others. */
function Winner({ imageName, others, records, onBack }: WinnerProps) {
  const api = useGallery()
  const { images, reload } = useComparedImages({ imageNames: [imageName], records })
  const image = images[0]
  const room = useRef<HTMLDivElement>(null)
  const size = useElementSize(room)
  const stage = size && { width: size.widthPx, height: size.heightPx }
  const trashOthers = () => {
    api.outbox.trash(others)
    closeComparison()
  }
  const star = async (starred: boolean) => {
    await api.outbox.star([imageName], starred)?.outcome
    await reload(imageName)
  }
  useCommands(
    COMPARE_SCOPE,
    [
      ...(others.length > 0 ? [{ ...compareKeys.keep, run: trashOthers }] : []),
      ...(onBack ? [{ ...compareKeys.back, run: onBack }] : []),
    ],
    { within: comparisonElement },
  )
  return (
    <>
      <header
        data-theme="dark"
        className="flex min-h-12 shrink-0 items-center gap-1 border-line border-b bg-surface py-1 pr-2 pl-3 text-ink sm:pl-4"
      >
        <h2 className="min-w-0 flex-1 truncate text-sm tabular-nums">
          The best of {others.length + 1}
          {image && (
            <>
              : <bdi>{fileNameOf(image)}</bdi>
            </>
          )}
        </h2>
        <IconButton label="Close" icon={X} onClick={closeComparison} />
      </header>
      <section
        ref={room}
        aria-label={image ? `Winner: ${fileNameOf(image)}` : 'Winner'}
        data-theme="dark"
        className="relative min-h-0 flex-1 overflow-hidden bg-sunken text-ink"
      >
        {image && stage && <Layer image={image} stage={stage} zoom={WHOLE} />}
      </section>
      <footer
        data-theme="dark"
        className="flex shrink-0 flex-wrap items-center justify-center gap-2 border-line border-t bg-surface p-3 text-ink"
      >
        {onBack && (
          <Button tone="quiet" onClick={onBack}>
            <Undo2 aria-hidden size={16} />
            {compareKeys.back.label}
          </Button>
        )}
        {image && (
          <Button tone="quiet" onClick={() => void star(!image.starred)}>
            <Star aria-hidden size={16} {...(image.starred && { fill: 'currentColor' })} />
            {image.starred ? 'Unstar' : 'Star'}
          </Button>
        )}
        {others.length > 0 && (
          <Button tone="quiet" onClick={trashOthers}>
            <CircleCheck aria-hidden size={16} />
            Move the other {countOf(others.length, 'image')} to the trash
          </Button>
        )}
        <Button
          ref={(element) => element?.focus({ preventScroll: true })}
          onClick={closeComparison}
        >
          Done
        </Button>
      </footer>
    </>
  )
}
