import { type RefCallback, useCallback } from 'react'

/** Returns a ref that shows a local file in an image, as long as the image is mounted. */
export const useFileSource = (file: Blob | undefined): RefCallback<HTMLImageElement> =>
  useCallback(
    (image: HTMLImageElement | null) => {
      if (file === undefined || image === null) return
      const url = URL.createObjectURL(file)
      image.src = url
      return () => URL.revokeObjectURL(url)
    },
    [file],
  )

/**
 * Returns a ref that shows a picture in an image. React assigns a `src` attribute a second time when the image mounts,
 * and Firefox then restarts the download.
 */
export const usePictureSource = (url: string | null): RefCallback<HTMLImageElement> =>
  useCallback(
    (image: HTMLImageElement | null) => {
      if (url !== null && image !== null) image.src = url
    },
    [url],
  )
