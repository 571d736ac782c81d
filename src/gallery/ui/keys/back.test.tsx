import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { goToPreviousPlace, isOwnPlace, pushAddress, useBackCloses, watchBack } from './back.ts'

function Part({ name, onClose }: { name: string; onClose: () => void }) {
  useBackCloses(true, onClose)
  return <p>{name}</p>
}

describe('useBackCloses', () => {
  let stop: () => void
  beforeEach(() => {
    window.history.replaceState(null, '', '/')
    stop = watchBack()
  })
  afterEach(() => stop())

  /** Reports the entry before the current one, as the browser does after Back. */
  const goBack = (state: unknown) =>
    act(() => {
      window.history.replaceState(state, '')
      window.dispatchEvent(new PopStateEvent('popstate', { state: state as object }))
    })

  test('adds a history entry while the part is open, and closes it on Back', () => {
    const place = window.history.state
    const close = vi.fn()
    render(<Part name="menu" onClose={close} />)
    expect(window.history.state).toMatchObject({ layers: 1 })

    goBack(place)

    expect(close).toHaveBeenCalledOnce()
    expect(screen.getByText('menu')).toBeDefined()
  })

  test('closes the part that opened last first', () => {
    const closed: string[] = []
    render(<Part name="drawer" onClose={() => closed.push('drawer')} />)
    const drawer = window.history.state
    render(<Part name="menu" onClose={() => closed.push('menu')} />)
    expect(window.history.state).toMatchObject({ layers: 2 })

    goBack(drawer)

    expect(closed).toEqual(['menu'])
  })

  test('reuses the entry of a part that was closed by hand', () => {
    render(<Part name="menu" onClose={() => {}} />).unmount()
    const entries = window.history.length

    render(<Part name="menu" onClose={() => {}} />)

    expect(window.history.length).toBe(entries)
  })

  test('knows the places that the page created itself', () => {
    expect(isOwnPlace()).toBe(false)

    pushAddress('/?board=portraits')

    expect(isOwnPlace()).toBe(true)
    expect(window.location.search).toBe('?board=portraits')
  })

  test('steps over the layers of a place', () => {
    const go = vi.spyOn(window.history, 'go').mockImplementation(() => {})
    render(<Part name="menu" onClose={() => {}} />)

    goToPreviousPlace()
    goToPreviousPlace()

    expect(go.mock.calls).toEqual([[-2]])
    go.mockRestore()
    goBack({ entry: 'before' })
  })
})
