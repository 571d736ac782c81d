import { act, fireEvent, render, renderHook, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { replaceAddress } from '#gallery/ui/keys/back.ts'
import { PlaceLink } from './place-link.tsx'
import { ALL_BOARDS } from './place-order.ts'
import { goTo, usePlace } from './use-place.ts'

beforeEach(() => {
  localStorage.clear()
  replaceAddress('/')
})

test('usePlace follows navigation, and returns a stable object', () => {
  const { result, rerender } = renderHook(usePlace)
  expect(result.current.board).toBe(ALL_BOARDS)

  act(() => goTo({ board: 'portraits' }))
  expect(result.current.board).toBe('portraits')
  const before = result.current
  rerender()

  expect(result.current).toBe(before)
})

test('PlaceLink marks the open board and opens another one', () => {
  const open = vi.fn()
  render(
    <PlaceLink board="portraits" onOpen={open}>
      Portraits
    </PlaceLink>,
  )
  const link = screen.getByRole('link', { name: 'Portraits' })
  expect(link.getAttribute('aria-current')).toBeNull()

  act(() => void fireEvent.click(link))

  expect(open).toHaveBeenCalledOnce()
  expect(window.location.search).toContain('board=portraits')
  expect(link.getAttribute('aria-current')).toBe('page')
})

test('PlaceLink leaves clicks with a modifier to the browser', () => {
  render(<PlaceLink board="portraits">Portraits</PlaceLink>)

  let isHandled = true
  const note = (event: Event) => {
    isHandled = event.defaultPrevented
    // happy-dom would open the link.
    event.preventDefault()
  }
  document.addEventListener('click', note, { once: true })

  fireEvent.click(screen.getByRole('link'), { ctrlKey: true })

  expect(isHandled).toBe(false)
})

test('PlaceLink has the order of its board and drops the search', () => {
  act(() => goTo({ board: 'portraits' }))
  act(() => goTo({ orderBy: 'name', orderDir: 'ASC' }))
  act(() => goTo({ board: 'none', query: 'castle' }))
  render(<PlaceLink board="portraits">Portraits</PlaceLink>)

  const href = screen.getByRole('link').getAttribute('href')

  expect(href).toContain('sort=name')
  expect(href).not.toContain('castle')
})
