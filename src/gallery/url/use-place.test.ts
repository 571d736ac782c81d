import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isOwnPlace, watchBack } from '#gallery/ui/keys/back.ts'
import { applyRememberedOrder, currentPlace, goTo, placeAfter, suggestOrder } from './use-place.ts'

/** Fakes the parts of `window` that URLs need. */
class AddressBar extends EventTarget {
  location = new URL('http://localhost/')
  readonly history = {
    state: null as unknown,
    replaceState: (state: unknown, _: string, address: string) => this.go(address, state),
    pushState: (state: unknown, _: string, address: string) => this.go(address, state),
  }

  go(address: string, state: unknown = null) {
    this.location = new URL(address, this.location)
    this.history.state = state
  }
}

let browser: AddressBar
const stored = new Map<string, string>()

beforeEach(() => {
  browser = new AddressBar()
  stored.clear()
  vi.stubGlobal('window', browser)
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})
afterEach(() => vi.unstubAllGlobals())

/** Opens the page at a URL, as on a new visit. */
function visit(address: string) {
  browser.go(address)
  applyRememberedOrder()
  return currentPlace()
}

describe('stored order', () => {
  beforeEach(() => {
    visit('/')
    goTo({ orderBy: 'taken_at', groupByDay: true })
  })

  test.each(['/', '/?board=portraits', '/?board=none&q=castle'])('is applied to %s', (address) => {
    expect(visit(address)).toMatchObject({ orderBy: 'taken_at', groupByDay: true })
  })

  test('is applied to another board', () => {
    expect(placeAfter({ board: 'new' })).toMatchObject({ orderBy: 'taken_at', groupByDay: true })
  })

  test('is not applied to a URL with an order', () => {
    expect(visit('/?sort=name')).toMatchObject({ orderBy: 'name', groupByDay: false })
    expect(visit('/')).toMatchObject({ orderBy: 'taken_at' })
  })

  test('preserves the state of the history entry', () => {
    const state = { isOwnStep: true, entry: 'board', layers: 1 }
    browser.go('/?board=portraits', state)
    watchBack()

    applyRememberedOrder()

    expect(currentPlace()).toMatchObject({ board: 'portraits', orderBy: 'taken_at' })
    expect(browser.history.state).toEqual(state)
    expect(isOwnPlace()).toBe(true)
  })

  test('can be reset to the default', () => {
    goTo({ orderBy: 'created_at', groupByDay: false })

    expect(visit('/')).toMatchObject({ orderBy: 'created_at', groupByDay: false })
  })
})

test('applies a suggested order until the user chooses one', () => {
  visit('/')

  suggestOrder({ orderBy: 'taken_at' }, false)
  expect(currentPlace()).toMatchObject({ orderBy: 'created_at' })
  expect(visit('/')).toMatchObject({ orderBy: 'taken_at' })
  goTo({ orderBy: 'created_at' })
  suggestOrder({ orderBy: 'taken_at' }, true)

  expect(visit('/')).toMatchObject({ orderBy: 'created_at' })
})

test('applies a suggested order to the open view', () => {
  visit('/')

  suggestOrder({ orderBy: 'taken_at' }, true)

  expect(currentPlace()).toMatchObject({ orderBy: 'taken_at' })
})

test('keeps the order of a link if another one is suggested', () => {
  visit('/?sort=name')

  suggestOrder({ orderBy: 'taken_at' }, true)

  expect(currentPlace()).toMatchObject({ orderBy: 'name' })
  expect(visit('/')).toMatchObject({ orderBy: 'taken_at' })
})

test('resets the kind filter on another board', () => {
  visit('/?kind=images')

  expect(placeAfter({ board: 'portraits' }).categories).toEqual([])
})
