import { act, fireEvent, render, renderHook, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { NewAbove } from '#gallery/images/new-above.tsx'
import { createPictures, PicturesContext } from '#gallery/images/tiles/pictures.ts'
import {
  attachedGrid,
  fiveColumns,
  gridNow,
  layoutByDay,
  VIEWPORT_PX,
} from '#integration/grid-in-window.ts'
import { GridFailed } from './grid-failed.tsx'
import { GridHandle } from './grid-handle.ts'
import { plainLayoutOf } from './grid-layout.ts'
import { GridScroller, ScrollerContext } from './grid-scroller.ts'
import { RowBox } from './row-box.tsx'
import { ShownRows } from './shown-rows.tsx'
import { useHasTiles } from './use-has-tiles.ts'
import { seenPositions, useVirtualRows } from './use-virtual-rows.ts'

describe('GridHandle', () => {
  test('scrolls its element, and has none after it is detached', () => {
    const grid = new GridHandle(gridNow())
    const box = document.createElement('div')
    const detach = grid.attach(box)

    grid.scroller.settleAt(400)
    expect(box.scrollTop).toBe(400)
    detach()

    expect(grid.element).toBeNull()
  })

  test('returns the state of the last update', () => {
    const grid = new GridHandle(gridNow())
    const next = { ...grid.now, total: 7 }

    grid.update(next)

    expect(grid.now).toBe(next)
  })
})

describe('GridFailed', () => {
  test('covers the grid if nothing was loaded, and retries', () => {
    const retry = vi.fn()
    render(<GridFailed isAll error={new Error('no connection')} onRetry={retry} />)

    expect(screen.getByText('Couldn’t load the images')).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }))

    expect(retry).toHaveBeenCalledOnce()
  })

  test('shows an alert next to the loaded images', () => {
    render(<GridFailed isAll={false} error={new Error('no connection')} onRetry={() => {}} />)

    expect(screen.getByRole('alert').textContent).toContain('Couldn’t load some of the images.')
  })
})

describe('RowBox', () => {
  const rowsOf = (container: Element) =>
    container.querySelector<HTMLElement>('[role=presentation] [role=presentation]')

  test('has the height of the scrolled box and places the rows', () => {
    const { container } = render(
      <RowBox scroller={new GridScroller()} boxPx={5000} basePx={1000} rightPx={48}>
        rows
      </RowBox>,
    )

    expect(container.querySelector<HTMLElement>('div')?.style.height).toBe('5000px')
    expect(rowsOf(container)?.style.top).toBe('1000px')
    expect(rowsOf(container)?.style.right).toBe('48px')
  })

  test('moves the rows when box and content shift against each other', () => {
    const scroller = new GridScroller()
    // Higher than any box that a browser can lay out.
    scroller.resize(100_000_000, VIEWPORT_PX)
    const { container } = render(
      <RowBox scroller={scroller} boxPx={10_000_000} basePx={50_000_000} rightPx={0}>
        rows
      </RowBox>,
    )

    act(() => scroller.settleAt(50_000_000))

    expect(scroller.shiftPx).toBeGreaterThan(1_000_000)
    expect(rowsOf(container)?.style.top).toBe(`${50_000_000 - scroller.shiftPx}px`)
  })
})

describe('useHasTiles', () => {
  const hasTiles = (pictures: ReturnType<typeof createPictures>, isReady: boolean) =>
    renderHook(() => useHasTiles(isReady), {
      wrapper: ({ children }) => <PicturesContext value={pictures}>{children}</PicturesContext>,
    }).result.current

  test('waits until the grid is ready', () => {
    expect(hasTiles(createPictures(), false)).toBe(false)
    expect(hasTiles(createPictures(), true)).toBe(true)
  })

  test('does not wait after the page has shown an image', () => {
    const pictures = createPictures()
    pictures.shown.add('cat.webp')

    expect(hasTiles(pictures, false)).toBe(true)
  })
})

describe('useVirtualRows', () => {
  const rowsAt = (contentTop: number, layout = plainLayoutOf(fiveColumns, 5000)) => {
    const { grid } = attachedGrid({ layout, contentTop })
    const { result } = renderHook(() =>
      useVirtualRows({
        scroller: grid.scroller,
        layout,
        viewportPx: VIEWPORT_PX,
      }),
    )
    return { grid, result }
  }

  test('returns the rows on the screen and two more at each edge', () => {
    const { grid, result } = rowsAt(100 * fiveColumns.rowPx)

    const indices = result.current.rows.map(({ index }) => index)

    expect(indices[0]).toBe(97)
    expect(indices.length).toBeLessThanOrEqual(result.current.slots)
    const { scroller } = grid
    const seen = seenPositions({ scroller, layout: grid.now.layout, viewportPx: VIEWPORT_PX })
    expect(seen?.from).toBe(99 * 5)
  })

  test('follows the scroller', () => {
    const { grid, result } = rowsAt(0)
    expect(result.current.rows[0]?.index).toBe(0)

    act(() => grid.scroller.settleAt(500 * fiveColumns.rowPx))

    expect(result.current.rows[0]?.index).toBe(497)
  })

  test('returns no rows without a layout', () => {
    const { result } = renderHook(() =>
      useVirtualRows({
        scroller: new GridScroller(),
        layout: null,
        viewportPx: VIEWPORT_PX,
      }),
    )

    expect(result.current.rows).toEqual([])
  })
})

describe('ShownRows', () => {
  const pictures = createPictures()
  const renderRows = (indices: readonly number[], change: { hasTiles?: boolean } = {}) => {
    const now = gridNow({ total: 30, layout: layoutByDay(30) })
    render(
      <PicturesContext value={pictures}>
        <ScrollerContext value={now.scroller}>
          <ShownRows
            now={now}
            rows={indices.map((index) => ({ index }))}
            slots={20}
            basePx={0}
            fit="fill"
            cursor={null}
            hasTiles={change.hasTiles ?? false}
            viewGenerations={undefined}
            generationCells={[]}
            onSelectGroup={() => {}}
          />
        </ScrollerContext>
      </PicturesContext>,
    )
  }

  test('renders a heading above the rows of a day', () => {
    renderRows([0, 1, 2])

    expect(screen.getAllByRole('row').map((row) => row.getAttribute('aria-rowindex'))).toEqual([
      '1',
      '2',
      '3',
    ])
    expect(screen.getAllByRole('rowheader')).toHaveLength(1)
    expect(screen.getByRole('heading', { level: 2 }).textContent).toContain('May 9')
  })

  test('renders placeholders until the grid has tiles', () => {
    renderRows([1, 2])

    expect(screen.queryAllByRole('gridcell')).toEqual([])
    // Seven images: five in the first row of the day, two in the second.
    const rows = screen.getAllByRole('row')
    expect(rows.map((row) => row.children.length)).toEqual([5, 2])
  })

  test('ignores rows that the layout no longer has', () => {
    renderRows([0, 500])

    expect(screen.getAllByRole('row')).toHaveLength(1)
  })
})

describe('NewAbove', () => {
  test('counts the new images, and scrolls to them on a click', () => {
    const show = vi.fn()
    render(<NewAbove count={1200} onShow={show} />)

    fireEvent.click(screen.getByRole('button', { name: '1,200 new' }))

    expect(show).toHaveBeenCalledOnce()
  })

  test('shows nothing without new images', () => {
    render(<NewAbove count={0} onShow={() => {}} />)

    expect(screen.queryByRole('button')).toBeNull()
  })
})

beforeEach(() => {
  // happy-dom has no layout.
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(
    new DOMRect(0, 0, 1000, VIEWPORT_PX),
  )
})
afterEach(() => vi.restoreAllMocks())
