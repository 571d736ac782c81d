import { act, fireEvent, render, renderHook, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ImageDays } from '#contract/image.ts'
import { topOfPosition } from '#gallery/images/grid/grid-rows.ts'
import { attachedGrid, recordOf, testView, VIEWPORT_PX } from '#integration/grid-in-window.ts'
import { DayHeading } from './day-heading.tsx'
import { MonthRail } from './month-rail.tsx'
import { ScrollLabel } from './scroll-label.tsx'
import { learnGroups, useDayGroups } from './use-day-groups.ts'

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'performance'],
  })
  // happy-dom has no layout.
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(
    new DOMRect(0, 0, 1000, VIEWPORT_PX),
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const months = [
  { month: '2026-05', from: 0 },
  { month: '2026-04', from: 100 },
  { month: '2026-03', from: 200 },
]

describe('MonthRail', () => {
  const renderRail = () => {
    const { grid } = attachedGrid()
    render(<MonthRail grid={grid} months={months} total={300} widthPx={1000} heightPx={900} />)
    return { grid, slider: screen.getByRole('slider', { name: 'Go to a month' }) }
  }

  test('scrolls by a month with the arrow keys, and to both ends with Home and End', () => {
    const { grid, slider } = renderRail()

    act(() => void fireEvent.keyDown(slider, { key: 'ArrowDown' }))
    const { layout, scroller } = grid.now
    expect(scroller.contentTop).toBe(topOfPosition(layout, 100) - layout.geometry.topPx)
    expect(slider.getAttribute('aria-valuetext')).toBe('April 2026')
    act(() => void fireEvent.keyDown(slider, { key: 'End' }))
    expect(slider.getAttribute('aria-valuenow')).toBe('2')
    act(() => void fireEvent.keyDown(slider, { key: 'Home' }))

    expect(scroller.contentTop).toBe(0)
  })

  test('follows the scroll position of the grid', () => {
    const { grid, slider } = renderRail()

    act(() => grid.scroller.settleAt(topOfPosition(grid.now.layout, 210)))

    expect(slider.getAttribute('aria-valuetext')).toBe('March 2026')
  })

  test('shows the month at the pointer, until the pointer leaves', () => {
    const { slider } = renderRail()

    fireEvent.pointerMove(slider, { clientY: 500 })
    expect(screen.getByRole('tooltip').textContent).toBe('April 2026')
    fireEvent.pointerLeave(slider)

    expect(screen.queryByRole('tooltip')).toBeNull()
  })

  test('shows nothing without months', () => {
    const { grid } = attachedGrid()
    render(<MonthRail grid={grid} months={[]} total={0} widthPx={1000} heightPx={900} />)

    expect(screen.queryByRole('slider')).toBeNull()
  })
})

describe('ScrollLabel', () => {
  test('shows the date during fast scrolling and hides soon after', () => {
    const { grid } = attachedGrid()
    const { container } = render(<ScrollLabel grid={grid} months={months} railWidthPx={0} />)
    const label = container.querySelector<HTMLElement>('[aria-hidden] > div')

    act(() => {
      grid.scroller.hold()()
      vi.advanceTimersByTime(16)
      grid.scroller.scrollTo(5000)
    })
    expect(label?.textContent).toBe('Nov 21, 2026')
    expect(label?.style.opacity).toBe('1')
    act(() => vi.advanceTimersByTime(1500))

    expect(label?.style.opacity).toBe('0')
  })
})

describe('DayHeading', () => {
  const group = {
    key: '2026-05-09',
    count: 7,
    from: 0,
    firstRow: 0,
    topPx: 0,
    lead: 0,
    generations: 0,
    justified: null,
  }
  const renderHeading = (count: number, onSelect: (selected: unknown) => void) =>
    render(
      <DayHeading
        row={0}
        columns={5}
        offsetPx={0}
        leftPx={16}
        group={{ ...group, count }}
        noun="image"
        onSelect={onSelect}
      />,
    )

  test('names the day and its number of images, and selects them', () => {
    const select = vi.fn()
    renderHeading(7, select)

    expect(screen.getByRole('rowheader').textContent).toContain('7 images')
    fireEvent.click(screen.getByRole('button', { name: /^Select these: .*May 9/ }))

    expect(select).toHaveBeenCalledWith(group)
  })

  test('offers no selection while the day has only running generations', () => {
    renderHeading(0, () => {})

    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('useDayGroups', () => {
  const days: ImageDays = {
    starred_count: 0,
    days: [
      { day: '2026-05-09', count: 2 },
      { day: '2026-05-08', count: 2 },
    ],
  }
  const on = (day: string, number: number) =>
    recordOf(number, { created_at: `${day} 12:00:00.000` })
  const windowOf = (...items: readonly ReturnType<typeof on>[]) =>
    new Map([[0, { items, total: items.length }]])
  const loaded = windowOf(
    on('2026-05-09', 4),
    on('2026-05-09', 3),
    on('2026-05-08', 2),
    on('2026-05-08', 1),
  )
  const learn = (before: ReturnType<typeof learnGroups> | null, change = {}) =>
    learnGroups(before, testView, { days, total: 4, windows: loaded, ...change })

  test('returns the same object while nothing is new', () => {
    const first = learn(null)

    expect(learn(first)).toBe(first)
  })

  test('corrects the counts by loaded images', () => {
    // An image was added today, and the server has not counted it yet.
    const windows = windowOf(
      ...[5, 4, 3].map((number) => on('2026-05-09', number)),
      on('2026-05-08', 2),
    )

    const { groups } = learn(learn(null), { total: 5, windows })

    expect(groups[0]).toEqual({ key: '2026-05-09', count: 3 })
  })

  test('keeps the groups if another window confirms them', () => {
    const first = learn(null)
    const windows = new Map([...loaded, [1, { items: [], total: 4 }]])

    const second = learn(first, { windows })

    expect(second).not.toBe(first)
    expect(second.groups).toBe(first.groups)
  })

  test('returns the groups that it learns during render', () => {
    const { result } = renderHook(() => {
      const [groups, learnDays] = useDayGroups(testView)
      learnDays(days, 4, loaded)
      return groups
    })

    expect(result.current).toEqual([
      { key: '2026-05-09', count: 2 },
      { key: '2026-05-08', count: 2 },
    ])
  })
})
