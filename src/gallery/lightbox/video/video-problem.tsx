import type { ImageRecord } from '#contract/image.ts'
import { Button } from '#gallery/ui/button.tsx'
import type { Command } from '#gallery/ui/commands/command.ts'
import { codecName, type VideoFailure } from './video-failure.ts'
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
  const { words, canRetry, hasFile } = problems[failure]
  return (
    <div className="absolute inset-x-3 bottom-3 mx-auto flex w-fit max-w-full flex-wrap items-center justify-center gap-x-3 gap-y-2 rounded-lg border border-line bg-raised py-2 pr-2 pl-4 text-sm shadow-raised">
      <p role="alert">{words(image.video?.codec ?? null)}</p>
      <span className="flex gap-2">
        {canRetry && <Button onClick={() => player.retry()}>Try again</Button>}
        {hasFile && download && <Button onClick={() => download.run()}>Download</Button>}
      </span>
    </div>
  )
}

interface Problem {
  readonly words: (codec: string | null) => string
  readonly canRetry: boolean
  readonly hasFile: boolean
}

const problems: Readonly<Record<VideoFailure, Problem>> = {
  unplayable: {
    words: (codec) =>
      codec === null
        ? 'This browser cannot play this video.'
        : `This browser cannot play ${codecName(codec)} videos.`,
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
