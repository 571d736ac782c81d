import { createContext, use } from 'react'
import type { TesseraClient } from '#client/index.ts'

/** The parts of the data layer that hooks read, and the client that they share. `GalleryProvider` sets them. */
export const PartsContext = createContext<{
  readonly client: TesseraClient
  readonly parts: readonly object[]
} | null>(null)

function useParts() {
  const parts = use(PartsContext)
  if (parts === null) throw new Error('A hook of the data layer needs a GalleryProvider.')
  return parts
}

/**
 * Returns one part of the data layer by its class. The hooks of a part use this, so that they know no other part.
 * Features use `useGallery`.
 */
export function usePart<Part extends object>(kind: new (...args: never[]) => Part): Part {
  const { parts } = useParts()
  const part = parts.find((one): one is Part => one instanceof kind)
  if (part === undefined) throw new Error(`The data layer has no ${kind.name}.`)
  return part
}

export const useClient = (): TesseraClient => useParts().client
