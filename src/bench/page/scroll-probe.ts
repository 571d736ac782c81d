/**
 * Measurements inside the page. Each function is sent to Chromium as source text, so it must not refer to
 * anything outside.
 */

/** Frame statistics during a motion. */
export interface Frames {
  framesPerSecond: number
  /** Share of frames that took longer than 20 ms, from 0 to 1. */
  slowShare: number
  /** The longest task that blocked the page, in milliseconds; 0 if none exceeded 50 ms. */
  longestTaskMs: number
}

/** Scrolls the grid by this many pixels per frame for some time: down, and back up from the end. */
export async function scrollSteadily(options: {
  pixelsPerFrame: number
  durationMs: number
}): Promise<Frames> {
  const grid = document.querySelector('[role=grid]')
  if (grid === null) throw new Error('no grid')
  let longestTaskMs = 0
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, duration)
  })
  observer.observe({ type: 'longtask' })
  const times: number[] = []
  let step = options.pixelsPerFrame
  await new Promise<void>((resolve) => {
    const frame = (now: number) => {
      times.push(now)
      if (now - (times[0] ?? now) >= options.durationMs) return resolve()
      const before = grid.scrollTop
      grid.scrollTop += step
      if (grid.scrollTop === before) step = -step
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
  observer.disconnect()
  const durations = times.slice(1).map((time, index) => time - (times[index] ?? time))
  const total = durations.reduce((sum, duration) => sum + duration, 0)
  return {
    framesPerSecond: (durations.length / total) * 1000,
    slowShare: durations.filter((duration) => duration > 20).length / durations.length,
    longestTaskMs,
  }
}

/** Jumps to a fraction of the total height, like the scrollbar's thumb, and returns the time of the jump. */
export function jumpTo(share: number): number {
  const grid = document.querySelector('[role=grid]')
  if (grid === null) throw new Error('no grid')
  grid.scrollTop = share * (grid.scrollHeight - grid.clientHeight)
  return performance.now()
}

/**
 * Returns when every visible tile shows its thumbnail, by `performance.now()`, or `null` if one does not. An
 * empty tile, or a screen without tiles, does not count as shown.
 */
export function screenShownAt(): number | null {
  const grid = document.querySelector('[role=grid]')
  if (grid === null) return null
  const { top, bottom } = grid.getBoundingClientRect()
  const isOnScreen = (element: Element) => {
    const box = element.getBoundingClientRect()
    return box.bottom > top + 1 && box.top < bottom - 1
  }
  const rows = [...grid.querySelectorAll('[role=row]')].filter(isOnScreen)
  const cells = rows.flatMap((row) => [...row.children])
  if (cells.length === 0) return null
  const isShown = (cell: Element) => {
    const picture = cell.querySelector('img')
    return picture?.complete === true && picture.naturalWidth > 0
  }
  return cells.every(isShown) ? performance.now() : null
}

interface WatchingWindow extends Window {
  /** Time from the key to the thumbnails of all compared images, in milliseconds. */
  comparedAfter?: Promise<number>
}

/** Watches the next key. Returns before it, because a key can overtake a running call. */
export function watchComparison(count: number): void {
  const pressed = new Promise<number>((resolve) => {
    const listener = ({ timeStamp }: KeyboardEvent) => resolve(timeStamp)
    window.addEventListener('keydown', listener, { capture: true, once: true })
  })
  const isShown = (stage: Element) => {
    const thumbnail = stage.querySelector('img')
    return thumbnail?.complete === true && thumbnail.naturalWidth > 0
  }
  const wait = async (): Promise<number> => {
    const pressedAt = await pressed
    for (;;) {
      const stages = [...document.querySelectorAll('[data-stage]')]
      if (stages.length === count && stages.every(isShown)) return performance.now() - pressedAt
      await new Promise(requestAnimationFrame)
    }
  }
  ;(window as WatchingWindow).comparedAfter = wait()
}

export const comparedAfter = async (): Promise<number> =>
  (await (window as WatchingWindow).comparedAfter) ?? Number.NaN

interface PlacedThumbnail {
  url: string
  leftPx: number
  topPx: number
  widthPx: number
  heightPx: number
}

/** Returns the URLs and boxes of the thumbnails on the screen. */
export function thumbnailsOnScreen(): PlacedThumbnail[] {
  return [...document.querySelectorAll<HTMLImageElement>('[data-picture] img')].flatMap((image) => {
    const { left, top, width, height } = image.getBoundingClientRect()
    if (top >= window.innerHeight) return []
    const box = { leftPx: left, topPx: top, widthPx: width, heightPx: height }
    return [{ url: image.currentSrc, ...box }]
  })
}

/** Shows thumbnails without a gallery. Returns after how many milliseconds all of them are decoded. */
export async function showBareScreen(thumbnails: readonly PlacedThumbnail[]): Promise<number> {
  const start = performance.now()
  const images = thumbnails.map(({ url, leftPx, topPx, widthPx, heightPx }) => {
    const image = new Image(widthPx, heightPx)
    image.style.cssText = `position: absolute; left: ${leftPx}px; top: ${topPx}px; object-fit: cover`
    image.src = url
    return image
  })
  document.body.replaceChildren(...images)
  await Promise.all(images.map((image) => image.decode()))
  return performance.now() - start
}

/** Returns the left and top of each rendered tile by the name of its image, in pixels of the window. */
export function measureTiles(): Record<string, readonly [left: number, top: number]> {
  const tiles = [...document.querySelectorAll('[role=gridcell]')].map((tile) => {
    const { left, top } = tile.getBoundingClientRect()
    const name = tile.querySelector<HTMLElement>('[data-picture]')?.dataset.picture ?? ''
    return [name, [left, top]] as const
  })
  return Object.fromEntries(tiles)
}

/** The position of the grid on the screen and the size of its tiles, in pixels. */
export interface GridBox {
  leftPx: number
  topPx: number
  widthPx: number
  heightPx: number
  columns: number
  cellPx: number
  /** Distance from one tile to the next. */
  stepPx: number
}

/** Measures the grid, which must have at least two rows. */
export function measureGrid(): GridBox {
  const grid = document.querySelector('[role=grid]')
  const [first, second] = grid?.querySelectorAll('[role=row]') ?? []
  const cell = first?.firstElementChild
  if (!grid || !first || !second || !cell) throw new Error('no grid with two rows')
  const box = grid.getBoundingClientRect()
  return {
    leftPx: box.left,
    topPx: box.top,
    widthPx: box.width,
    heightPx: box.height,
    columns: first.childElementCount,
    cellPx: cell.getBoundingClientRect().width,
    stepPx: second.getBoundingClientRect().top - first.getBoundingClientRect().top,
  }
}

/** Fills an empty document with plain `<img>` tiles in a box like the grid. Resolves when all are loaded. */
export async function showBareTiles(options: { box: GridBox; urls: string[] }): Promise<void> {
  const { box, urls } = options
  const grid = document.createElement('div')
  grid.setAttribute('role', 'grid')
  grid.style.cssText = `position:absolute; left:${box.leftPx}px; top:${box.topPx}px; width:${box.widthPx}px; height:${box.heightPx}px; overflow-y:scroll`
  const loaded = urls.map((url, index) => {
    const left = (index % box.columns) * box.stepPx
    const top = Math.floor(index / box.columns) * box.stepPx
    const picture = new Image()
    picture.src = url
    picture.style.cssText = `position:absolute; left:${left}px; top:${top}px; width:${box.cellPx}px; height:${box.cellPx}px; object-fit:cover`
    grid.append(picture)
    return new Promise<void>((resolve, reject) => {
      picture.onload = () => resolve()
      picture.onerror = () => reject(new Error(`${url} cannot be loaded.`))
    })
  })
  document.body.replaceChildren(grid)
  await Promise.all(loaded)
}

/** Statistics of frames and tiles during flings. */
export interface Fling extends Frames {
  /** Share of visible tiles without their thumbnail, averaged over some frames, from 0 to 1. */
  blankShare: number
}

/**
 * Starts observing every frame. Counts the tiles only in each tenth: it takes a third of the page's own time.
 *
 * @returns A function that stops and returns the statistics.
 */
export function watchFling(): () => Fling {
  const grid = document.querySelector('[role=grid]')
  if (grid === null) throw new Error('no grid')
  const { top, bottom } = grid.getBoundingClientRect()
  const tasks: number[] = []
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(duration)
  })
  observer.observe({ type: 'longtask' })
  const times: number[] = []
  const blank: number[] = []
  let request = 0
  const countTiles = () => {
    const cells = [...grid.querySelectorAll('[role=row] > *')].filter((cell) => {
      const box = cell.getBoundingClientRect()
      return box.bottom > top + 1 && box.top < bottom - 1
    })
    const shown = cells.filter((cell) => {
      const picture = cell.querySelector('img')
      return picture?.complete === true && picture.naturalWidth > 0
    })
    if (cells.length > 0) blank.push(1 - shown.length / cells.length)
  }
  const frame = (now: number) => {
    if (times.push(now) % 10 === 0) countTiles()
    request = requestAnimationFrame(frame)
  }
  request = requestAnimationFrame(frame)
  return () => {
    cancelAnimationFrame(request)
    observer.disconnect()
    const durations = times.slice(1).map((time, index) => time - (times[index] ?? time))
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
    return {
      framesPerSecond: (durations.length / sum(durations)) * 1000,
      slowShare: durations.filter((duration) => duration > 20).length / durations.length,
      longestTaskMs: Math.max(0, ...tasks),
      blankShare: sum(blank) / blank.length,
    }
  }
}
