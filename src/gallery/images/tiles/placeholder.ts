import { thumbHashToAverageRGBA, thumbHashToDataURL } from 'thumbhash'

/** Placeholders that are kept: some fifty screens, at 5 kB each. */
const MAX_KEPT = 4000

/** Of a hash, at the least. */
const MIN_BYTES = 6

const keptImages = new Map<string, string | undefined>()
const keptColours = new Map<string, string | undefined>()

/**
 * What stands for a picture until it is there, in its own colours, as a CSS image. Made when a tile first
 * needs it and kept.
 *
 * @param thumbhash - Base64; `null` on servers that make none.
 */
export const placeholderOf = (thumbhash: string | null): string | undefined =>
  kept(keptImages, thumbhash, (bytes) => `url(${thumbHashToDataURL(bytes)})`)

/** The one colour that a picture has on average: what there is time for while a person flings. */
export const averageColourOf = (thumbhash: string | null): string | undefined =>
  kept(keptColours, thumbhash, (bytes) => {
    const { r, g, b, a } = thumbHashToAverageRGBA(bytes)
    const [red, green, blue] = [r, g, b].map((share) => Math.round(share * 255))
    return `rgb(${red} ${green} ${blue} / ${a.toFixed(2)})`
  })

/** Whether the picture lets through what lies behind it, so that its placeholder must go when it has come. */
export const isTranslucent = (thumbhash: string | null): boolean =>
  ((thumbhash === null ? undefined : bytesOf(thumbhash)?.[2]) ?? 0) >= 0x80

function kept(
  made: Map<string, string | undefined>,
  thumbhash: string | null,
  make: (bytes: Uint8Array) => string,
): string | undefined {
  if (thumbhash === null) return undefined
  if (made.has(thumbhash)) return made.get(thumbhash)
  if (made.size >= MAX_KEPT) made.clear()
  const value = attempt(thumbhash, make)
  made.set(thumbhash, value)
  return value
}

function attempt(thumbhash: string, make: (bytes: Uint8Array) => string): string | undefined {
  const bytes = bytesOf(thumbhash)
  return bytes && make(bytes)
}

/** A hash that is none costs the tile its colours, and nothing else. */
function bytesOf(thumbhash: string): Uint8Array | undefined {
  try {
    const bytes = Uint8Array.from(atob(thumbhash), (char) => char.charCodeAt(0))
    return bytes.length < MIN_BYTES ? undefined : bytes
  } catch {
    return undefined
  }
}
