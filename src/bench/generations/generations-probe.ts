/**
 * Conditions that the page evaluates in each frame. Each function is sent to Chromium as source text, so it
 * must not refer to anything outside. Times are in ms since 1970.
 */

/** True if images are loaded. */
export const isLoaded = (): boolean =>
  [...document.querySelectorAll('[role=gridcell] img')].some(
    (picture) => picture instanceof HTMLImageElement && picture.complete,
  )

/** Returns the time at which the tile of a generation exists. */
export const makingTileAt = (): number | false =>
  document.querySelector('[role=gridcell][data-making]') !== null && Date.now()

/** Returns the time at which the thumbnail of an image is rendered. */
export function pictureAt(imageName: string): number | false {
  const picture = document.querySelector(`[data-name="${imageName}"] img`)
  return picture instanceof HTMLImageElement && picture.complete && Date.now()
}

/** Returns the time at which an image is no longer shown. */
export const goneAt = (imageName: string): number | false =>
  document.querySelector(`[data-name="${imageName}"]`) === null && Date.now()

/** Returns the time at which an image is shown. */
export const shownAt = (imageName: string): number | false =>
  document.querySelector(`[data-name="${imageName}"]`) !== null && Date.now()

/** Returns the time at which an image is shown as starred. */
export const starredAt = (imageName: string): number | false =>
  document.querySelector(`[data-name="${imageName}"] [aria-label="Unstar"]`) !== null && Date.now()

/** Returns the time at which an image is shown as not starred. */
export const unstarredAt = (imageName: string): number | false =>
  document.querySelector(`[data-name="${imageName}"]:not(:has([aria-label="Unstar"]))`) !== null &&
  Date.now()

/** Returns the time at which the page reports that the server or its events are unavailable. */
export const bannerAt = (): number | false =>
  /does not answer|Live updates stopped/.test(document.body.textContent ?? '') && Date.now()

/** True if nothing is being generated and no error is shown. */
export const isIdle = (): boolean =>
  document.querySelector('[data-making]') === null &&
  !/does not answer|Live updates stopped/.test(document.body.textContent ?? '')

/**
 * Starts recording when the thumbnail of each image first appears. @returns A function that returns the times
 * by name.
 */
export function watchPictures(): () => Record<string, number> {
  const times: Record<string, number> = {}
  const look = () => {
    for (const picture of document.querySelectorAll<HTMLImageElement>('[data-name] img')) {
      const name = picture.closest<HTMLElement>('[data-name]')?.dataset.name
      if (name !== undefined && picture.complete) times[name] ??= Date.now()
    }
    requestAnimationFrame(look)
  }
  look()
  return () => times
}
