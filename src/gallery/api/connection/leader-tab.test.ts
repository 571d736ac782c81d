import { afterEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '#gallery/api/clock.ts'
import { electLeaderTab } from './leader-tab.ts'

/** Open tabs of one browser, and the names of those that lead. */
class Tabs {
  readonly name = `test-${crypto.randomUUID()}`
  readonly leading: string[] = []
  readonly #close = new Map<string, () => void>()
  readonly #locks: LockManager | null

  constructor(locks: LockManager | null) {
    this.#locks = locks
  }

  open(tab: string): void {
    const lead = () => {
      this.leading.push(tab)
      return () => void this.leading.splice(this.leading.indexOf(tab), 1)
    }
    const close = electLeaderTab({
      name: this.name,
      lead,
      clock: systemClock,
      openChannel: (name) => new BroadcastChannel(name),
      locks: this.#locks,
    })
    this.#close.set(tab, close)
  }

  close(tab: string): void {
    this.#close.get(tab)?.()
    this.#close.delete(tab)
  }

  closeAll(): void {
    for (const tab of this.#close.keys()) this.close(tab)
  }
}

describe.each([
  { how: 'by locks', locks: globalThis.navigator.locks },
  { how: 'without locks', locks: null },
])('$how', ({ locks }) => {
  let tabs: Tabs
  afterEach(() => tabs.closeAll())

  test('elects one of three tabs', async () => {
    tabs = new Tabs(locks)
    for (const tab of ['a', 'b', 'c']) tabs.open(tab)

    await vi.waitFor(() => expect(tabs.leading).toHaveLength(1), { timeout: 30_000 })
  })

  test('elects another tab when the leader closes', async () => {
    tabs = new Tabs(locks)
    for (const tab of ['a', 'b', 'c']) tabs.open(tab)
    await vi.waitFor(() => expect(tabs.leading).toHaveLength(1), { timeout: 30_000 })
    const [first = ''] = tabs.leading

    tabs.close(first)

    await vi.waitFor(
      () => {
        expect(tabs.leading).toHaveLength(1)
        expect(tabs.leading).not.toContain(first)
      },
      { timeout: 30_000 },
    )
  })

  test('runs nothing in a tab that closes before its election', async () => {
    tabs = new Tabs(locks)
    tabs.open('a')
    await vi.waitFor(() => expect(tabs.leading).toEqual(['a']), { timeout: 30_000 })
    tabs.open('b')
    tabs.close('b')
    tabs.close('a')

    await vi.waitFor(() => expect(tabs.leading).toEqual([]), { timeout: 30_000 })
  })
})
