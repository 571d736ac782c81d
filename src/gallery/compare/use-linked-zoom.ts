import { useState } from 'react'
import { WHOLE, type Zoom } from './linked-zoom.ts'

/** The zoom of all images together, or of each one alone. */
export function useLinkedZoom() {
  const [isLinked, setLinked] = useState(true)
  const [shared, setShared] = useState(WHOLE)
  const [own, setOwn] = useState<ReadonlyMap<string, Zoom>>(new Map())
  const zoomOf = (imageName: string): Zoom => (isLinked ? shared : (own.get(imageName) ?? shared))
  return {
    isLinked,
    zoomOf,
    setZoom: (imageName: string, zoom: Zoom) => {
      if (isLinked) setShared(zoom)
      else setOwn((before) => new Map(before).set(imageName, zoom))
    },
    /** @param imageName - The image whose zoom all images get. */
    toggle: (imageName: string) => {
      setShared(zoomOf(imageName))
      setOwn(new Map())
      setLinked(!isLinked)
    },
  }
}
