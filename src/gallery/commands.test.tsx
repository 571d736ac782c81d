import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Command } from '#gallery/ui/commands/command.ts'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
beforeEach(async () => {
  gallery = await startGallery()
  await gallery.api.createBoard('Castles')
  await gallery.api.uploadImages(['a.png', 'b.png', 'c.png'], { board: 'Castles' })
})

// Opening the page loads its modules again.
const registry = () => import('#gallery/ui/commands/registry.ts')
const conflicts = () => import('#gallery/ui/commands/conflicts.ts')
const isInPalette = ({ isKeyOnly }: Command) => !isKeyOnly

const settings: [string, () => Promise<unknown>][] = [
  [
    'a board with a selected image',
    async () => {
      await gallery.open({ board: 'Castles' })
      await gallery.select('b.png')
    },
  ],
  [
    'the viewer',
    async () => {
      await gallery.view('b.png')
      await screen.findByRole('button', { name: 'Star' })
    },
  ],
  [
    'the trash',
    async () => {
      await gallery.open({ board: 'Castles' })
      await gallery.deleteImage('a.png')
      await expect.poll(() => gallery.api.trashedNames()).toEqual(['a.png'])
      await gallery.open({ board: 'trash' })
      await gallery.select('a.png')
      await screen.findByRole('button', { name: 'Empty trash…' })
    },
  ],
]

describe.each(settings)('in %s', (_, open) => {
  test('gives each command a name, an ID and unique keys, and lists it in the palette', async () => {
    await open()
    const { reachableCommands, useListedCommands } = await registry()
    const { renderHook } = await import('@testing-library/react')
    const commands = reachableCommands()
    const listed = renderHook(useListedCommands).result.current
    const { conflictOf } = await conflicts()

    expect(commands.filter(({ id, label }) => id === '' || label.trim() === '')).toEqual([])
    const found = commands.flatMap(({ id, keys }) => {
      const command = listed.get(id)
      if (command === undefined) return [`${id} is not listed`]
      return [keys ?? []].flat().flatMap((key) => {
        const other = conflictOf(command, key, listed.values(), {})
        return other ? [`${key}: ${id} and ${other.id}`] : []
      })
    })
    expect(found).toEqual([])

    await gallery.user.keyboard('{Control>}k{/Control}')
    const options = (await screen.findAllByRole('option')).map((one) => one.dataset.value)
    expect(options).toEqual(
      expect.arrayContaining(commands.filter(isInPalette).map(({ id }) => id)),
    )
  })
})

/** Notes everything that commands do and that a user notices. A download may start after the next command. */
function watchEffects() {
  const effects: string[] = []
  const note = (effect: string) => () => {
    effects.push(effect)
    return null
  }
  const observer = new MutationObserver(note('the page changed'))
  observer.observe(document.documentElement, {
    attributes: true,
    characterData: true,
    childList: true,
    subtree: true,
  })
  const noteFocus = note('the focus moved')
  document.addEventListener('focusin', noteFocus)
  vi.spyOn(window, 'open').mockImplementation(note('a tab opened'))
  vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(note('a picker opened'))
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(note('a download started'))
  onTestFinished(() => {
    observer.disconnect()
    document.removeEventListener('focusin', noteFocus)
    vi.restoreAllMocks()
  })
  return effects
}

const storedSettings = () => JSON.stringify(Object.entries(localStorage))

/** Closes what a command opened, and selects an image of the board again. */
async function startAgain(address: string) {
  const isOpen = () =>
    document.querySelector(':is([role=dialog], [role=menu]):not([data-closed])') !== null
  for (let times = 0; isOpen() && times < 5; times++) await gallery.user.keyboard('{Escape}')
  const { goTo } = await import('#gallery/url/use-place.ts')
  const { parsePlace } = await import('#gallery/url/place.ts')
  goTo(parsePlace(address.slice(address.indexOf('?'))))
  // Does not wait for tiles: a dialog that opened a moment ago hides them until the next attempt closes it.
  const [tile] = screen.getAllByRole('gridcell')
  if (tile) await gallery.user.click(tile)
}

test('every command acts, or is disabled with a reason @long', async () => {
  await gallery.open({ board: 'Castles' })
  await gallery.select('b.png')
  const address = window.location.href
  const { reachableByIds, reachableCommands } = await registry()
  const ids = reachableCommands()
    // The chosen option of a setting has no effect, nor has opening the open board. "Process…" needs a Worker, which
    // this window lacks.
    .filter(({ id, about }) => about !== 'current' && id !== 'board.open' && id !== 'process')
    .filter(isInPalette)
    .map(({ id }) => id)
    // Last, because the server is then busy with drawing.
    .sort((a, b) => Number(a === 'demo') - Number(b === 'demo'))
  const idle: string[] = []
  const effects = watchEffects()

  const reachable = (id: string) => {
    const [command] = reachableByIds([id])
    if (command === undefined) throw new Error(`${id} is not reachable`)
    return command
  }
  for (const id of ids) {
    // A part of the page that loads slowly opens late. It is closed in the next attempt.
    const command = await waitFor(async () => {
      await startAgain(address)
      return reachable(id)
    })
    if (command.disabledReason !== undefined) continue
    effects.length = 0
    const settings = storedSettings()
    act(() => command.run())
    // Without archived boards, "Show archived boards" changes nothing else.
    if (storedSettings() !== settings) effects.push('a setting changed')
    await waitFor(() => expect(effects).not.toEqual([])).catch(() => idle.push(id))
  }
  gallery.page.demo.stop()

  expect(ids.length).toBeGreaterThan(40)
  expect(idle).toEqual([])
})
