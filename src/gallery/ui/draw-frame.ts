/** Longest side of a poster: that of the largest thumbnail. */
const MAX_POSTER_PX = 1536

/** Returns the frame that a video shows, reduced for a poster. JPEG, because Safari encodes no WebP. */
export function drawPoster(video: HTMLVideoElement): Promise<Blob> {
  const { videoWidth, videoHeight } = video
  const scale = Math.min(1, MAX_POSTER_PX / Math.max(videoWidth, videoHeight))
  return drawFrame(video, { type: 'image/jpeg', scale })
}

/** Returns the frame that a video shows as an image file. */
export function drawFrame(
  video: HTMLVideoElement,
  { type, scale = 1 }: { type: 'image/png' | 'image/jpeg'; scale?: number },
): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(video.videoWidth * scale))
  canvas.height = Math.max(1, Math.round(video.videoHeight * scale))
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((file) => {
      if (file === null) reject(new Error('The browser encodes no image'))
      else resolve(file)
    }, type)
  })
}
