import { act, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { imageKeys } from '#gallery/api/images/image-cache.ts'
import { useImageWindows, useMayFetch } from '#gallery/images/place/use-image-windows.ts'
import { currentCursor, resetSelection } from '#gallery/images/selection/selection-store.ts'
import { testView, windowsOf } from '#integration/grid-in-window.ts'
import { PartInWindow } from '#integration/part-in-window.tsx'
import { GridScroller } from './grid-scroller.ts'
import { ImageGrid } from './image-grid.tsx'
import { useGridContent } from './use-grid-content.ts'

let part: PartInWindow
/** Answers the requests of the page. By default there is no answer. */
let answer: () => Promise<Response>
beforeEach(() => {
  part = new PartInWindow()
  answer = () => new Promise(() => {})
  vi.stubGlobal('fetch', () => answer())
  resetSelection()
  sessionStorage.clear()
})
afterEach(() => vi.unstubAllGlobals())

const kind = { actionsOf: () => ({}), canMove: false }

function renderGrid() {
  const opened: string[] = []
  render(
    <ImageGrid
      view={testView}
      noun="image"
      isGrouping={false}
      tileLayout="fill"
      openImage={null}
      onOpen={(imageName) => opened.push(imageName)}
      kind={kind}
      viewGenerations={undefined}
      scrollTarget={null}
    />,
    { wrapper: part.Wrapper },
  )
  return { opened, grid: screen.getByRole('grid', { name: 'Images' }) }
}

describe('ImageGrid', () => {
  test('renders the tiles on the screen and counts all rows', async () => {
    part.cacheWindows(2000)
    const { grid } = renderGrid()

    await waitFor(() => expect(screen.getAllByRole('gridcell').length).toBeGreaterThan(20))

    expect(screen.getAllByRole('gridcell').length).toBeLessThan(100)
    const columns = Number(grid.getAttribute('aria-colcount'))
    expect(Number(grid.getAttribute('aria-rowcount'))).toBe(Math.ceil(2000 / columns))
    expect(grid.getAttribute('aria-busy')).toBe('false')
  })

  test('is busy until the number of images is known', () => {
    const { grid } = renderGrid()

    expect(grid.getAttribute('aria-busy')).toBe('true')
    expect(grid.getAttribute('aria-rowcount')).toBe('-1')
  })

  test('moves the focus with arrow keys and names the active tile', async () => {
    part.cacheWindows(30)
    const { grid } = renderGrid()
    await screen.findAllByRole('gridcell')

    const arrowRight = { key: 'ArrowRight', code: 'ArrowRight' }
    act(() => grid.focus())
    act(() => void fireEvent.keyDown(grid, arrowRight))
    act(() => void fireEvent.keyDown(grid, arrowRight))

    expect(currentCursor()).toEqual({ imageName: '29.png', position: 1 })
    expect(grid.getAttribute('aria-activedescendant')).toBe('image-1')
  })

  test('opens an image with a double click', async () => {
    part.cacheWindows(3)
    const { opened } = renderGrid()
    const [first] = await screen.findAllByRole('gridcell')

    fireEvent.doubleClick(first as HTMLElement)

    expect(opened).toEqual(['3.png'])
  })

  test('shows an error and loads again on Retry', async () => {
    answer = async () => Response.json({ detail: 'No such board' }, { status: 404 })
    renderGrid()
    await screen.findByText('Couldn’t load the images')

    answer = () => new Promise(() => {})
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }))

    await waitFor(() => expect(screen.queryByText('Couldn’t load the images')).toBeNull())
  })
})

describe('useGridContent', () => {
  const renderContent = () => {
    const element = { current: document.createElement('div') }
    const shown = { isGrouping: false, tileLayout: 'fill', viewGenerations: undefined } as const
    const options = { view: testView, noun: 'image', ...shown, element } as const
    return renderHook(() => useGridContent(options), { wrapper: part.Wrapper })
  }

  test('lays out the images that are cached', () => {
    part.cacheWindows(500)

    const { result } = renderContent()

    expect(result.current.isTotalKnown).toBe(true)
    expect(result.current.now.layout.total).toBe(500)
    expect(result.current.now.windows.get(0)?.items[0]?.image_name).toBe('500.png')
  })

  test('keeps its handle, which has the state of the last render', () => {
    part.cacheWindows(500)
    const { result, rerender } = renderContent()
    const { grid } = result.current

    rerender()

    expect(result.current.grid).toBe(grid)
    expect(grid.now).toEqual(result.current.now)
  })

  test('estimates one screen of images until the server answers', () => {
    const { result } = renderContent()

    expect(result.current.isTotalKnown).toBe(false)
    expect(result.current.now.total).toBeGreaterThan(0)
    expect(result.current.now.windows.size).toBe(0)
  })
})

describe('useImageWindows', () => {
  const renderWindows = (mayFetch: boolean) =>
    renderHook(({ indices }) => useImageWindows(testView, indices, mayFetch), {
      wrapper: part.Wrapper,
      initialProps: { indices: [0] },
    })

  test('shows cached windows without a request during fast scrolling', () => {
    const request = vi.fn(() => new Promise<Response>(() => {}))
    answer = request
    part.cacheWindows(500)
    const { result, rerender } = renderWindows(false)

    rerender({ indices: [1, 2, 3] })

    expect([...result.current.windows.keys()]).toEqual([1, 2])
    expect(result.current.total).toBe(500)
    expect(request).not.toHaveBeenCalled()
  })

  test('shows a change of the cache, and the same windows while nothing changes', async () => {
    part.cacheWindows(500)
    const { result, rerender } = renderWindows(true)
    const before = result.current.windows
    rerender({ indices: [0] })
    expect(result.current.windows).toBe(before)

    const [first] = windowsOf(501).values()
    part.api.queryClient.setQueryData(imageKeys.window(testView, 0), first)

    await waitFor(() => expect(result.current.total).toBe(501))
  })
})

describe('useMayFetch', () => {
  const renderMayFetch = (index: number) => {
    part.cacheWindows(500)
    const scroller = new GridScroller()
    const states: boolean[] = []
    renderHook(() => states.push(useMayFetch(scroller, testView, [index])), {
      wrapper: part.Wrapper,
    })
    const scrollFast = () => {
      let release = () => {}
      act(() => {
        release = scroller.hold()
      })
      return () => act(() => release())
    }
    return { states, scrollFast }
  }

  test('renders nothing during fast scrolling through loaded windows', () => {
    const { states, scrollFast } = renderMayFetch(1)

    scrollFast()()

    expect(states).toEqual([true])
  })

  test('forbids to fetch other windows until the scrolling is slow', () => {
    const { states, scrollFast } = renderMayFetch(3)

    const stop = scrollFast()
    expect(states.at(-1)).toBe(false)
    stop()

    expect(states).toEqual([true, false, true])
  })
})
