import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { GridScroller } from './grid-scroller.ts'

const VIEWPORT_PX = 900

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw, 16))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Fake of the element parts that a scroller uses. `wheel` scrolls it as the browser would. */
class ScrolledBox extends EventTarget {
  scrollTop = 0

  wheel(px: number) {
    this.scrollTop += px
    this.dispatchEvent(new Event('scroll'))
  }
}

function openScroller(contentPx: number) {
  const box = new ScrolledBox()
  const scroller = new GridScroller()
  scroller.attach(box as unknown as HTMLElement)
  scroller.resize(contentPx, VIEWPORT_PX)
  vi.advanceTimersByTime(1000)
  return { box, scroller }
}

test('detects fast scrolling, and its end', () => {
  const { box, scroller } = openScroller(1_000_000)

  for (let frame = 0; frame < 5; frame += 1) {
    vi.advanceTimersByTime(16)
    box.wheel(600)
  }

  expect(scroller.isScrollingSlowly()).toBe(false)
  vi.advanceTimersByTime(200)
  expect(scroller.isScrollingSlowly()).toBe(true)
})

test('treats reading with the wheel as slow scrolling', () => {
  const { box, scroller } = openScroller(1_000_000)

  for (let frame = 0; frame < 20; frame += 1) {
    vi.advanceTimersByTime(16)
    box.wheel(20)
    expect(scroller.isScrollingSlowly()).toBe(true)
  }
})

test('notifies observers of every movement, and once at rest', () => {
  const { box, scroller } = openScroller(1_000_000)
  const heard: [number, boolean][] = []
  scroller.observe((contentTop, isMoving) => heard.push([contentTop, isMoving]))

  box.wheel(100)
  vi.advanceTimersByTime(500)

  expect(heard).toEqual([
    [100, true],
    [100, false],
  ])
})

test('restores the thumb after wheel scrolling without moving the content', () => {
  const { box, scroller } = openScroller(40_000_000)
  scroller.settleAt(20_000_000)
  const belongs = box.scrollTop

  for (let notch = 0; notch < 100; notch += 1) {
    vi.advanceTimersByTime(16)
    box.wheel(100)
  }
  expect(scroller.contentTop).toBe(20_010_000)
  vi.advanceTimersByTime(500)

  expect(scroller.contentTop).toBe(20_010_000)
  expect(box.scrollTop - belongs).toBeLessThan(10_000)
})

test('limits scroll positions to the ends of the content', () => {
  const { scroller } = openScroller(5000)

  scroller.settleAt(-50)
  expect(scroller.contentTop).toBe(0)

  scroller.settleAt(99_999)
  expect(scroller.contentTop).toBe(5000 - VIEWPORT_PX)
})

test('counts as fast scrolling while a handle is held, until its release', () => {
  const { scroller } = openScroller(1_000_000)
  const letGo = scroller.hold()
  scroller.scrollTo(400_000)

  vi.advanceTimersByTime(5000)
  expect(scroller.isScrollingSlowly()).toBe(false)
  letGo()

  expect(scroller.isScrollingSlowly()).toBe(true)
})

test('stops the effect during fast scrolling and restarts it at rest', () => {
  const { box, scroller } = openScroller(1_000_000)
  const heard: string[] = []
  const stop = scroller.whileScrollingSlowly(() => {
    heard.push('begin')
    return () => heard.push('end')
  })

  vi.advanceTimersByTime(16)
  box.wheel(2000)
  expect(heard).toEqual(['begin', 'end'])
  vi.advanceTimersByTime(500)
  expect(heard).toEqual(['begin', 'end', 'begin'])

  stop()
  vi.advanceTimersByTime(16)
  box.wheel(2000)
  expect(heard).toEqual(['begin', 'end', 'begin', 'end'])
})
