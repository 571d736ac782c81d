interface StripFrameProps {
  /** Of the strip of a video. */
  url: string
  /** Number of frames in it. */
  frames: number
  /** The place in the video, from 0 to 1. */
  share: number
  /** Size of the frame, in pixels. */
  widthPx: number
  heightPx: number
  onLoad: () => void
  /** Default: nothing. The server may not be able to decode the video. */
  onError?: () => void
}

/** One frame of the strip of a video. */
export function StripFrame({
  url,
  frames,
  share,
  widthPx,
  heightPx,
  onLoad,
  onError,
}: StripFrameProps) {
  const at = Math.min(frames - 1, Math.floor(share * frames))
  return (
    <span
      className="block shrink-0 overflow-hidden"
      style={{ width: widthPx, height: heightPx }}
      data-strip-frame={at}
    >
      <img
        src={url}
        alt=""
        draggable={false}
        onLoad={onLoad}
        onError={onError}
        className="max-w-none"
        style={{
          width: frames * widthPx,
          height: heightPx,
          translate: `${-at * widthPx}px`,
        }}
      />
    </span>
  )
}
