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

/** Loads the rest of the page once the first images are drawn, so that a slow phone shows them sooner. */
export function RestProvider({ children }: { children: ReactNode }) {
  const [rest, setRest] = useState<RestOfPage | null>(null)
  useEffect(() => {
    // React renders a transition in slices.
    const show = (module: RestOfPage) => startTransition(() => setRest(module))
    const fail = (error: unknown) =>
      setRest(() => {
        throw error
      })
    void loadWhenThere(() => import('./rest-of-page.tsx')).then(show, fail)
  }, [])
  return <RestContext value={rest}>{children}</RestContext>
}
