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

interface RestProviderProps {
  /** Resolves when the rest of the page may be loaded. */
  restAfter: () => Promise<unknown>
  children: ReactNode
}

/** Loads the rest of the page once, when it may. */
export function RestProvider({ restAfter, children }: RestProviderProps) {
  const [rest, setRest] = useState<RestOfPage | null>(null)
  useEffect(() => {
    // React renders a transition in slices.
    const show = (module: RestOfPage) => startTransition(() => setRest(module))
    const fail = (error: unknown) =>
      setRest(() => {
        throw error
      })
    const load = async () => {
      await restAfter()
      return loadWhenThere(() => import('./rest-of-page.tsx'))
    }
    load().then(show, fail)
  }, [restAfter])
  return <RestContext value={rest}>{children}</RestContext>
}
