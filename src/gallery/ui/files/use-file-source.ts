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
