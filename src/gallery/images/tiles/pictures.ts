import { createContext, useContext } from 'react'
import { PictureQueue } from './picture-queue.ts'
import { averageColorOf, placeholderOf } from './placeholder.ts'
import { ShownPictures } from './shown-pictures.ts'

/** Maximum number of cached placeholders: about fifty screens, at 5 kB each. */
const MAX_CACHED = 4000

/** The state that the pictures of all tiles share. */
export type Pictures = ReturnType<typeof createPictures>

export const createPictures = () => ({
  queue: new PictureQueue(),
  shown: new ShownPictures(),
  averageColorOf: memoize(averageColorOf),
  placeholderOf: memoize(placeholderOf),
})

/** Caches the results for the last arguments. */
function memoize<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const cache = new Map<Key, { readonly value: Value }>()
  return (key) => {
    const cached = cache.get(key)
    if (cached !== undefined) return cached.value
    if (cache.size >= MAX_CACHED) cache.clear()
    const value = compute(key)
    cache.set(key, { value })
    return value
  }
}

/** Provided for the life of the page, so that another view still knows what was shown. */
export const PicturesContext = createContext<Pictures | null>(null)

export function usePictures(): Pictures {
  const pictures = useContext(PicturesContext)
  if (pictures === null) throw new Error('usePictures needs a PicturesContext.')
  return pictures
}
