import { thumbHashToAverageRGBA, thumbHashToDataURL } from 'thumbhash'

/** Minimum length of a valid hash. */
const MIN_BYTES = 6

/** Returns a blurred placeholder as a CSS image. `thumbhash` is base64; `null` on servers that create none. */
export const placeholderOf = (thumbhash: string | null): string | undefined =>
  ifValid(thumbhash, (bytes) => `url(${thumbHashToDataURL(bytes)})`)

/** Returns the average color of an image. During fast scrolling there is only time for this. */
export const averageColorOf = (thumbhash: string | null): string | undefined =>
  ifValid(thumbhash, (bytes) => {
    const { r, g, b, a } = thumbHashToAverageRGBA(bytes)
    const [red, green, blue] = [r, g, b].map((share) => Math.round(share * 255))
    return `rgb(${red} ${green} ${blue} / ${a.toFixed(2)})`
  })

/** Returns true if the image has transparency, so that its placeholder must be removed once it is loaded. */
export const isTranslucent = (thumbhash: string | null): boolean =>
  ((thumbhash === null ? undefined : bytesOf(thumbhash)?.[2]) ?? 0) >= 0x80

function ifValid(
  thumbhash: string | null,
  make: (bytes: Uint8Array) => string,
): string | undefined {
  const bytes = thumbhash === null ? undefined : bytesOf(thumbhash)
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
