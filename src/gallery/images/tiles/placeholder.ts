import { thumbHashToAverageRGBA, thumbHashToDataURL } from 'thumbhash'

/** Maximum number of cached placeholders: about fifty screens, at 5 kB each. */
const MAX_CACHED = 4000

/** Minimum length of a valid hash. */
const MIN_BYTES = 6

const imageCache = new Map<string, string | undefined>()
const colorCache = new Map<string, string | undefined>()

/**
 * Returns a blurred placeholder of an image as a CSS image. It is cached after the first call.
 *
 * @param thumbhash - Base64; `null` on servers that create none.
 */
export const placeholderOf = (thumbhash: string | null): string | undefined =>
  cached(imageCache, thumbhash, (bytes) => `url(${thumbHashToDataURL(bytes)})`)

/** Returns the average color of an image. During fast scrolling there is only time for this. */
export const averageColorOf = (thumbhash: string | null): string | undefined =>
  cached(colorCache, thumbhash, (bytes) => {
    const { r, g, b, a } = thumbHashToAverageRGBA(bytes)
    const [red, green, blue] = [r, g, b].map((share) => Math.round(share * 255))
    return `rgb(${red} ${green} ${blue} / ${a.toFixed(2)})`
  })

/** Returns true if the image has transparency, so that its placeholder must be removed once it is loaded. */
export const isTranslucent = (thumbhash: string | null): boolean =>
  ((thumbhash === null ? undefined : bytesOf(thumbhash)?.[2]) ?? 0) >= 0x80

function cached(
  made: Map<string, string | undefined>,
  thumbhash: string | null,
  make: (bytes: Uint8Array) => string,
): string | undefined {
  if (thumbhash === null) return undefined
  if (made.has(thumbhash)) return made.get(thumbhash)
  if (made.size >= MAX_CACHED) made.clear()
  const value = attempt(thumbhash, make)
  made.set(thumbhash, value)
  return value
}

function attempt(thumbhash: string, make: (bytes: Uint8Array) => string): string | undefined {
  const bytes = bytesOf(thumbhash)
  return bytes && make(bytes)
}

/** Decodes a hash; undefined if it is invalid, so that the tile only loses its placeholder. */
function bytesOf(thumbhash: string): Uint8Array | undefined {
  try {
    const bytes = Uint8Array.from(atob(thumbhash), (char) => char.charCodeAt(0))
    return bytes.length < MIN_BYTES ? undefined : bytes
  } catch {
    return undefined
  }
}
