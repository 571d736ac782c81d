import type { ImageRecord } from '#contract/image.ts'
import { Button } from '#gallery/ui/button.tsx'
import type { Command } from '#gallery/ui/commands/command.ts'
import { usePlayableCopy } from './use-playable-copy.ts'
import { unplayableWords, type VideoFailure } from './video-failure.ts'
import { usePlayback, type VideoPlayer } from './video-player.ts'

interface VideoProblemProps {
  player: VideoPlayer
  image: ImageRecord
  /** Absent if the file cannot be downloaded. */
  download: Command | undefined
}

/** Says why a video does not play, in place of its controls. */
export function VideoProblem({ player, image, download }: VideoProblemProps) {
  const failure = usePlayback(player, (playback) => playback.failure)
  if (failure === null) return null
  return (
    <Note
      key={image.image_name}
      player={player}
      image={image}
      download={download}
      failure={failure}
    />
  )
}

function Note({ player, image, download, failure }: VideoProblemProps & { failure: VideoFailure }) {
  const { words, canRetry, hasFile } = problems[failure]
  const { state, isOffered, make, cancel } = usePlayableCopy(
    player,
    image.image_name,
    failure === 'unplayable',
  )
  const isMaking = state.kind === 'making'
  return (
    <div className="absolute inset-x-3 bottom-3 z-20 mx-auto flex w-fit max-w-full flex-wrap items-center justify-center gap-x-3 gap-y-2 rounded-lg border border-line bg-raised py-2 pr-2 pl-4 text-sm shadow-raised">
      {isMaking ? (
        <CopyProgress share={state.share} />
      ) : (
        <p role="alert">{state.kind === 'failed' ? state.reason : words(image)}</p>
      )}
      <span className="flex flex-wrap justify-center gap-2">
        {canRetry && <Button onClick={() => player.retry()}>Try again</Button>}
        {/* One button, so that the focus stays. */}
        {isOffered && (
          <Button onClick={() => (isMaking ? cancel() : void make())}>
            {isMaking ? 'Cancel' : state.kind === 'failed' ? 'Try again' : 'Make a playable copy'}
          </Button>
        )}
        {hasFile && download && <Button onClick={() => download.run()}>Download</Button>}
      </span>
    </div>
  )
}

function CopyProgress({ share }: { share: number }) {
  const percent = Math.round(share * 100)
  const label = 'Making a playable copy'
  return (
    <p
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="tabular-nums"
    >
      {label}: {percent} %
    </p>
  )
}

interface Problem {
  readonly words: (clip: ImageRecord) => string
  readonly canRetry: boolean
  readonly hasFile: boolean
}

const problems: Readonly<Record<VideoFailure, Problem>> = {
  unplayable: {
    words: unplayableWords,
    canRetry: false,
    hasFile: true,
  },
  damaged: {
    words: () => 'The video cannot be played. The file may be damaged.',
    canRetry: true,
    hasFile: true,
  },
  gone: { words: () => 'The file of this video is missing.', canRetry: true, hasFile: false },
  unreachable: {
    words: () => 'Couldn’t load the video: the server did not answer.',
    canRetry: true,
    hasFile: false,
  },
}
