import {
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useState,
} from 'react'
import { loadWhenThere } from './ui/lazy-part.ts'

type RestOfPage = typeof import('./rest-of-page.tsx')

const RestContext = createContext<RestOfPage | null>(null)

/** Returns the parts of the page around the images; `null` until they are loaded. */
export const useRest = (): RestOfPage | null => useContext(RestContext)

/** How long the rest of the page waits for pictures at most, in milliseconds. */
const PICTURES_MS = 2_000

/** How often it looks for them, in milliseconds. */
const FRAME_MS = 16

/** Loads the rest of the page after the first pictures, because both share the connection of a slow phone. */
export function RestProvider({ children }: { children: ReactNode }) {
  const [rest, setRest] = useState<RestOfPage | null>(null)
  useEffect(() => {
    // React renders a transition in slices.
    const show = (module: RestOfPage) => startTransition(() => setRest(module))
    const fail = (error: unknown) =>
      setRest(() => {
        throw error
      })
    const load = async () => {
      await firstPictures()
      return loadWhenThere(() => import('./rest-of-page.tsx'))
    }
    load().then(show, fail)
  }, [])
  return <RestContext value={rest}>{children}</RestContext>
}

/** Resolves when the pictures on the screen are loaded, when the page shows no images, or after some time. */
async function firstPictures(): Promise<void> {
  const endMs = performance.now() + PICTURES_MS
  let pictures: readonly HTMLImageElement[] = []
  // The grid draws its tiles some frames later, when it knows its size. A hidden page has no frames.
  while (
    pictures.length === 0 &&
    document.querySelector('[role=grid]') &&
    performance.now() < endMs
  ) {
    await new Promise((resolve) => setTimeout(resolve, FRAME_MS))
    pictures = [...document.querySelectorAll<HTMLImageElement>('[data-picture] img')]
  }
  const timeout = new Promise((resolve) => setTimeout(resolve, endMs - performance.now()))
  await Promise.race([timeout, Promise.allSettled(pictures.map((picture) => picture.decode()))])
}
