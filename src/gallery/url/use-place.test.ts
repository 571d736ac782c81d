import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isOwnPlace, watchBack } from '#gallery/ui/keys/back.ts'
import { applyRememberedOrder, currentPlace, goTo, placeAfter, suggestOrder } from './use-place.ts'

/** As much of a browser's window as addresses need. */
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

/** Opens the page at an address, as a new visit does. */
function visit(address: string) {
  browser.go(address)
  applyRememberedOrder()
  return currentPlace()
}

describe('the order that was chosen last', () => {
  beforeEach(() => {
    visit('/')
    goTo({ orderBy: 'taken_at', groupByDay: true })
  })

  test.each(['/', '/?board=portraits', '/?board=none&q=castle'])('applies to %s', (address) => {
    expect(visit(address)).toMatchObject({ orderBy: 'taken_at', groupByDay: true })
  })

  test('holds for another board', () => {
    expect(placeAfter({ board: 'new' })).toMatchObject({ orderBy: 'taken_at', groupByDay: true })
  })

  test('yields to an address that names an order', () => {
    expect(visit('/?sort=name')).toMatchObject({ orderBy: 'name', groupByDay: false })
    expect(visit('/')).toMatchObject({ orderBy: 'taken_at' })
  })

  test('leaves the history entry to Back', () => {
    const state = { isOwnStep: true, entry: 'board', layers: 1 }
    browser.go('/?board=portraits', state)
    watchBack()

    applyRememberedOrder()

    expect(currentPlace()).toMatchObject({ board: 'portraits', orderBy: 'taken_at' })
    expect(browser.history.state).toEqual(state)
    expect(isOwnPlace()).toBe(true)
  })

  test('can be the default again', () => {
    goTo({ orderBy: 'created_at', groupByDay: false })

    expect(visit('/')).toMatchObject({ orderBy: 'created_at', groupByDay: false })
  })
})

test('a suggested order applies until the person chooses one', () => {
  visit('/')

  suggestOrder({ orderBy: 'taken_at' }, false)
  expect(currentPlace()).toMatchObject({ orderBy: 'created_at' })
  expect(visit('/')).toMatchObject({ orderBy: 'taken_at' })
  goTo({ orderBy: 'created_at' })
  suggestOrder({ orderBy: 'taken_at' }, true)

  expect(visit('/')).toMatchObject({ orderBy: 'created_at' })
})

test('an order can be suggested for the open view too', () => {
  visit('/')

  suggestOrder({ orderBy: 'taken_at' }, true)

  expect(currentPlace()).toMatchObject({ orderBy: 'taken_at' })
})

test('a link that names an order keeps it when another is suggested', () => {
  visit('/?sort=name')

  suggestOrder({ orderBy: 'taken_at' }, true)

  expect(currentPlace()).toMatchObject({ orderBy: 'name' })
  expect(visit('/')).toMatchObject({ orderBy: 'taken_at' })
})

test('another kind of images is not carried to another board', () => {
  visit('/?kind=images')

  expect(placeAfter({ board: 'portraits' }).categories).toEqual([])
})
