import { connect } from '#client/index.ts'
import { accountToken } from '#gallery/api/connection/account-token.ts'
import { type Entry, targetsOf } from './outbox-state.ts'

/** What a browser still takes from a page that is going: 64 kB in all, names being 40 bytes long. */
const MAX_NAMES = 1000

/** The same server, by requests that outlive the page. */
const lasting = connect({
  baseUrl: '',
  tokens: accountToken,
  fetch: (url, init) => window.fetch(url, { ...init, keepalive: true }),
})

/**
 * Sends what is held back for Undo when the page is left: nobody can press Undo any more. What does not
 * fit, or gets lost, is kept and sent by the next page.
 */
export function sendHeldWhenLeaving(entries: () => readonly Entry[]): void {
  window.addEventListener('pagehide', ({ persisted }) => {
    if (persisted) return
    const held = entries().filter(({ heldUntil, wanted }) => heldUntil > Date.now() && wanted)
    const names = targetsOf(held.filter(({ aspect }) => aspect === 'deleted'))
    if (names.length > 0) void lasting.images.delete(names.slice(0, MAX_NAMES)).catch(() => {})
    for (const { aspect, targets, wanted } of held) {
      if (aspect !== 'board_deleted') continue
      const includeImages = wanted === 'with images'
      for (const boardId of targets) {
        void lasting.boardOperations.delete(boardId, { includeImages }).catch(() => {})
      }
    }
  })
}
