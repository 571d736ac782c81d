import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { preloadTooltip, Tooltips, WithTooltip } from './tooltip.tsx'

const shownTooltip = (): string | null =>
  document.querySelector('[data-tooltip]')?.textContent ?? null

const moveTo = (element: Element, pointerType = 'mouse') =>
  act(() => void fireEvent.pointerMove(element, { pointerType }))

const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms))

interface StarButtonProps {
  label?: string
  isDisabled?: boolean
}

function StarButton({ label = 'Star', isDisabled = false }: StarButtonProps) {
  return (
    <WithTooltip label={label} keys="s">
      <button type="button" aria-label="Star" disabled={isDisabled} />
    </WithTooltip>
  )
}

function Page({ button = <StarButton /> }) {
  return (
    <>
      {button}
      <WithTooltip label="Delete">
        <button type="button" aria-label="Delete" />
      </WithTooltip>
      <Tooltips />
    </>
  )
}

const getButton = (name: string) => screen.getByRole('button', { name })

beforeEach(async () => {
  await preloadTooltip()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => void vi.useRealTimers())

test('opens when the pointer has been on the button for a moment, and closes when it leaves', () => {
  render(<Page />)
  moveTo(getButton('Star'))
  wait(399)
  expect(shownTooltip()).toBeNull()
  wait(1)
  expect(shownTooltip()).toBe('StarS')

  fireEvent.pointerOut(getButton('Star'), { relatedTarget: document.body })
  wait(100)

  expect(shownTooltip()).toBeNull()
})

test('does not open for a pointer that has left before, and for a finger', () => {
  render(<Page />)
  moveTo(getButton('Star'))
  fireEvent.pointerOut(getButton('Star'), { relatedTarget: document.body })
  moveTo(getButton('Delete'), 'touch')
  wait(1000)

  expect(shownTooltip()).toBeNull()
})

test('stays open while the pointer moves to the tooltip', () => {
  render(<Page />)
  moveTo(getButton('Star'))
  wait(400)

  fireEvent.pointerOut(getButton('Star'), { relatedTarget: document.body })
  wait(50)
  moveTo(document.querySelector('[data-tip-popup]') ?? document.body)
  wait(1000)

  expect(shownTooltip()).toBe('StarS')
})

test('moves to the next button at once', () => {
  render(<Page />)
  moveTo(getButton('Star'))
  wait(400)

  moveTo(getButton('Delete'))

  expect(shownTooltip()).toBe('Delete')
})

test('opens at once with the keyboard focus, and closes with its loss', () => {
  render(<Page />)

  act(() => getButton('Star').focus())
  expect(shownTooltip()).toBe('StarS')
  act(() => getButton('Star').blur())

  expect(shownTooltip()).toBeNull()
})

test('does not open when only the window gets the focus back', () => {
  render(<Page />)
  act(() => getButton('Star').focus())
  act(() => void fireEvent.blur(window))
  expect(shownTooltip()).toBeNull()

  act(() => void fireEvent.focusIn(getButton('Star')))

  expect(shownTooltip()).toBeNull()
})

test.each([
  ['a click', () => fireEvent.click(getButton('Star'))],
  ['a press elsewhere', () => fireEvent.pointerDown(document.body)],
  ['the wheel', () => fireEvent.wheel(getButton('Star'))],
])('closes with %s, until the pointer comes back', (_, act_) => {
  render(<Page />)
  moveTo(getButton('Star'))
  wait(400)

  act(() => void act_())
  moveTo(getButton('Star'))
  wait(1000)
  expect(shownTooltip()).toBeNull()
  moveTo(document.body)
  moveTo(getButton('Star'))
  wait(400)

  expect(shownTooltip()).toBe('StarS')
})

test('closes with Escape, which the page gets too', () => {
  const onKey = vi.fn(({ defaultPrevented }: KeyboardEvent) => defaultPrevented)
  window.addEventListener('keydown', onKey, { once: true })
  render(<Page />)
  act(() => getButton('Star').focus())

  act(() => void fireEvent.keyDown(getButton('Star'), { key: 'Escape' }))

  expect(shownTooltip()).toBeNull()
  expect(onKey).toHaveReturnedWith(false)
})

test.each([
  ['disappears', null],
  ['is disabled', <StarButton key="star" isDisabled />],
])('closes when its button %s', async (_, button) => {
  const { rerender } = render(<Page button={<StarButton key="star" />} />)
  moveTo(getButton('Star'))
  wait(400)
  expect(shownTooltip()).toBe('StarS')

  rerender(<Page button={button as React.ReactElement} />)

  await vi.waitFor(() => expect(shownTooltip()).toBeNull())
})

test('follows the label of its button', async () => {
  const { rerender } = render(<Page />)
  moveTo(getButton('Star'))
  wait(400)

  rerender(<Page button={<StarButton label="Unstar" />} />)

  await vi.waitFor(() => expect(shownTooltip()).toBe('UnstarS'))
})
