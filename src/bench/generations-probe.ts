/**
 * What is looked for in the page, in each of its frames. Each function is sent to Chromium as it stands,
 * so it may use nothing from around it. Times are milliseconds since 1970.
 */

/** Whether pictures are there. */
export const isLoaded = (): boolean =>
  [...document.querySelectorAll('[role=gridcell] img')].some(
    (picture) => picture instanceof HTMLImageElement && picture.complete,
  )

/** When the tile of something that is being made is there. */
export const makingTileAt = (): number | false =>
  document.querySelector('[role=gridcell][data-making]') !== null && Date.now()

/** When the thumbnail of an image is drawn. */
export function pictureAt(imageName: string): number | false {
  const picture = document.querySelector(`[data-name="${imageName}"] img`)
  return picture instanceof HTMLImageElement && picture.complete && Date.now()
}

/** When an image is shown no more. */
export const goneAt = (imageName: string): number | false =>
  document.querySelector(`[data-name="${imageName}"]`) === null && Date.now()

/** When an image is shown. */
export const shownAt = (imageName: string): number | false =>
  document.querySelector(`[data-name="${imageName}"]`) !== null && Date.now()

/** When an image is shown as starred. */
export const starredAt = (imageName: string): number | false =>
  document.querySelector(`[data-name="${imageName}"] [aria-label="Unstar"]`) !== null && Date.now()

/** When the page says that the server, or its events, are not there. */
export const bannerAt = (): number | false =>
  /does not answer|Live updates stopped/.test(document.body.textContent ?? '') && Date.now()

/** Whether nothing is being made and nothing is amiss. */
export const isCalm = (): boolean =>
  document.querySelector('[data-making]') === null &&
  !/does not answer|Live updates stopped/.test(document.body.textContent ?? '')

/** Notes from now on when the thumbnail of each image is drawn first. @returns What gives the times, by name. */
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
