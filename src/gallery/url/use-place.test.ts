import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isOwnPlace, watchBack } from '#gallery/ui/keys/back.ts'
import {
  applyRememberedOrder,
  currentPlace,
  goTo,
  makeOrderDefault,
  placeAfter,
  resetOrder,
  suggestOrder,
} from './use-place.ts'

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
    visit('/?board=portraits')
    goTo({ orderBy: 'name', layout: 'rows' })
  })

  test.each(['/?board=portraits', '/?board=portraits&q=castle'])(
    'of a board is applied to %s',
    (address) => {
      expect(visit(address)).toMatchObject({ orderBy: 'name', layout: 'rows' })
    },
  )

  test.each([
    ['/', 'taken_at'],
    ['/?board=none', 'created_at'],
  ])('of a board is not applied to %s', (address, orderBy) => {
    expect(visit(address)).toMatchObject({ orderBy, layout: 'fill' })
  })

  test('is applied when the user opens the board', () => {
    visit('/?board=other')

    expect(placeAfter({ board: 'portraits' })).toMatchObject({ orderBy: 'name', layout: 'rows' })
    expect(placeAfter({ board: 'new' })).toMatchObject({ orderBy: 'created_at', layout: 'fill' })
  })

  test('is not applied to a URL with an order', () => {
    expect(visit('/?board=portraits&sort=size')).toMatchObject({ orderBy: 'size' })
    expect(visit('/?board=portraits')).toMatchObject({ orderBy: 'name' })
  })

  test('of the trash is stored apart from the default of all boards', () => {
    visit('/?board=portraits')
    makeOrderDefault()

    expect(visit('/?board=trash')).toMatchObject({ orderBy: 'deleted_at', layout: 'rows' })
    goTo({ orderBy: 'size', orderDir: 'ASC' })
    expect(visit('/?board=trash')).toMatchObject({ orderBy: 'size', orderDir: 'ASC' })
    goTo({ orderBy: 'deleted_at', orderDir: 'ASC' })
    expect(visit('/?board=trash')).toMatchObject({ orderBy: 'deleted_at', orderDir: 'ASC' })
    expect(visit('/?board=new')).toMatchObject({ orderBy: 'name' })
  })

  test('preserves the state of the history entry', () => {
    const state = { isOwnStep: true, entry: 'board', layers: 1 }
    browser.go('/?board=portraits', state)
    watchBack()

    applyRememberedOrder()

    expect(currentPlace()).toMatchObject({ board: 'portraits', orderBy: 'name' })
    expect(browser.history.state).toEqual(state)
    expect(isOwnPlace()).toBe(true)
  })

  test('can be made the default of all boards', () => {
    goTo({ board: 'other' })
    goTo({ orderBy: 'size' })
    goTo({ board: 'portraits' })

    makeOrderDefault()

    for (const address of ['/', '/?board=other', '/?board=none'])
      expect(visit(address)).toMatchObject({ orderBy: 'name', layout: 'rows' })
  })

  test('is reset to the default of the user, and then to the built-in one', () => {
    goTo({ orderBy: 'size' })
    makeOrderDefault()
    goTo({ orderBy: 'taken_at' })

    resetOrder()
    expect(visit('/?board=portraits')).toMatchObject({ orderBy: 'size', layout: 'rows' })
    resetOrder()
    expect(visit('/?board=portraits')).toMatchObject({ orderBy: 'created_at', layout: 'fill' })
  })

  test('ignores a damaged value in the storage', () => {
    stored.set('tessera:orders', '{"boards":')

    expect(visit('/?board=portraits')).toMatchObject({ orderBy: 'created_at' })
  })
})

test('applies a suggested order until the user chooses one', () => {
  visit('/?board=none')

  suggestOrder({ orderBy: 'taken_at' }, false)
  expect(currentPlace()).toMatchObject({ orderBy: 'created_at' })
  expect(visit('/?board=none')).toMatchObject({ orderBy: 'taken_at' })
  goTo({ orderBy: 'created_at' })
  suggestOrder({ orderBy: 'taken_at' }, true)

  expect(visit('/?board=none')).toMatchObject({ orderBy: 'created_at' })
})

test('applies a suggested order to the open view', () => {
  visit('/?board=none')

  suggestOrder({ orderBy: 'taken_at' }, true)

  expect(currentPlace()).toMatchObject({ orderBy: 'taken_at' })
})

test('keeps the order of a link if another one is suggested', () => {
  visit('/?sort=name')

  suggestOrder({ orderBy: 'taken_at' }, true)

  expect(currentPlace()).toMatchObject({ orderBy: 'name' })
  expect(visit('/?board=none')).toMatchObject({ orderBy: 'taken_at' })
})

test('resets the kind filter on another board', () => {
  visit('/?kind=images')

  expect(placeAfter({ board: 'portraits' }).categories).toEqual([])
})

test('another board leaves the insights, and another search does not', () => {
  visit('/?board=portraits&page=insights')

  expect(placeAfter({ query: 'castle' }).page).toBe('insights')
  expect(placeAfter({ query: '' }).page).toBe('insights')
  expect(placeAfter({ board: 'none' }).page).toBeNull()
  expect(placeAfter({ board: 'portraits', search: 'one' }).page).toBeNull()
})

describe('a search for likeness', () => {
  const best = { orderBy: 'relevance', orderDir: 'DESC', starredFirst: false }

  test.each(['like:cat.png', 'color:orange', 'castle color:f80'])(
    'shows the best matches of %s first, until it ends',
    (query) => {
      visit('/?board=portraits')
      goTo({ orderBy: 'name', starredFirst: true })
      goTo({ query })
      expect(currentPlace()).toMatchObject({ ...best, query })
      goTo({ query: 'castle' })
      expect(currentPlace()).toMatchObject({ orderBy: 'name', starredFirst: true })
    },
  )

  test('keeps an order that was chosen for it', () => {
    goTo({ query: 'like:cat.png' })
    goTo({ orderBy: 'size' })
    goTo({ query: 'like:cat.png castle' })
    expect(currentPlace().orderBy).toBe('size')
    goTo({ query: '' })
    expect(currentPlace().orderBy).toBe('size')
  })

  test.each(['-like:cat.png', '"like:cat.png"', 'castle'])('is not %s', (query) => {
    goTo({ query })
    expect(currentPlace().orderBy).toBe('taken_at')
  })

  test('in all boards has no filters of the board before', () => {
    visit('/?board=portraits&only=starred')
    goTo({ board: 'all', query: 'like:cat.png' })
    expect(currentPlace()).toMatchObject({ ...best, board: 'all', isStarred: undefined })
  })
})
