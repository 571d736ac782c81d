import { useEffect, useRef } from 'react'

/** Fetches pictures that may be shown next, and stops fetching those that no longer are among them. */
export function usePrefetch(urls: readonly string[]): void {
  const loading = useRef(new Map<string, HTMLImageElement>())
  const wanted = urls.join('\n')
  useEffect(() => {
    const now = new Set(wanted === '' ? [] : wanted.split('\n'))
    for (const [url, image] of loading.current) {
      if (now.has(url)) continue
      image.src = ''
      loading.current.delete(url)
    }
    for (const url of now) {
      if (loading.current.has(url)) continue
      const image = new Image()
      image.decoding = 'async'
      image.src = url
      loading.current.set(url, image)
    }
  }, [wanted])
  useEffect(() => {
    const images = loading.current
    return () => {
      for (const image of images.values()) image.src = ''
      images.clear()
    }
  }, [])
}
