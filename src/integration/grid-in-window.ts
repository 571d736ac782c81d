import { imageOfAnswer } from '#client/images/image-records.ts'
import type { ImageRecord } from '#contract/image.ts'
import { type ImageView, type ImageWindow, WINDOW_SIZE } from '#gallery/api/images/image-windows.ts'
import { geometryOf } from '#gallery/images/grid/grid-geometry.ts'
import { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import { type GridLayout, layoutOf, plainLayoutOf } from '#gallery/images/grid/grid-layout.ts'
import type { GridNow } from '#gallery/images/grid/grid-now.ts'
import { GridScroller } from '#gallery/images/grid/grid-scroller.ts'
import { imageAnswer } from '#testing/fake-fetch.ts'

/** The view of the grids in these tests. */
export const testView: ImageView = {
  boardId: 'none',
  query: '',
  orderDir: 'DESC',
  starredFirst: false,
}

/** Five columns of 184 px with a gap of 8 px. */
export const fiveColumns = { ...geometryOf(1000, 184), columns: 5 }

export const VIEWPORT_PX = 900

/** Creates the record of an image whose name is a number. */
export const recordOf = (number: number, change: Partial<ImageRecord> = {}): ImageRecord =>
  imageOfAnswer(imageAnswer({ image_name: `${number}.png`, ...change }) as ImageRecord)

/** Creates the windows of a view whose images are numbered from `total` down to 1. */
export function windowsOf(total: number): Map<number, ImageWindow> {
  const windows = new Map<number, ImageWindow>()
  for (let from = 0; from < total; from += WINDOW_SIZE) {
    const count = Math.min(WINDOW_SIZE, total - from)
    const items = Array.from({ length: count }, (_, at) => recordOf(total - from - at))
    windows.set(from / WINDOW_SIZE, { items, total })
  }
  return windows
}

interface GridOptions {
  total?: number
  layout?: GridLayout
  /** Scroll position, in pixels. */
  contentTop?: number
  windows?: GridNow['windows']
  noun?: GridNow['noun']
}

/** Creates the state of a grid without React. By default it has 300 images in five columns, all loaded. */
export function gridNow(options: GridOptions = {}): GridNow {
  const { total = 300, layout = plainLayoutOf(fiveColumns, total), contentTop = 0 } = options
  const scroller = new GridScroller()
  scroller.resize(layout.heightPx, VIEWPORT_PX)
  scroller.settleAt(contentTop)
  const { windows = windowsOf(total), noun = 'image' } = options
  return { view: testView, noun, scroller, layout, total, windows }
}

/** Returns a layout by day: two days with 7 images each, then one with the rest. */
export const layoutByDay = (total: number): GridLayout =>
  layoutOf(fiveColumns, [
    { key: '2026-05-09', count: 7 },
    { key: '2026-05-08', count: 7 },
    { key: '2026-05-07', count: total - 14 },
  ])

/** Creates a grid that is attached to a scrolled element of the window. */
export function attachedGrid(options: GridOptions = {}): { grid: GridHandle; box: HTMLElement } {
  const grid = new GridHandle(gridNow({ ...options, contentTop: 0 }))
  const box = document.createElement('div')
  box.setAttribute('role', 'grid')
  box.tabIndex = 0
  document.body.append(box)
  grid.attach(box)
  grid.scroller.settleAt(options.contentTop ?? 0)
  return { grid, box }
}
