import { create } from 'zustand'
import { createPreferences } from '#gallery/ui/preferences.ts'

export interface ImportDialogOptions {
  /** Name of the open board; null if none is open, so that folders become boards. */
  readonly boardName: string | null
}

const useDialog = create<{ options: ImportDialogOptions | null }>(() => ({ options: null }))

export const useImportDialogOptions = (): ImportDialogOptions | null =>
  useDialog(({ options }) => options)
export const openImportDialog = (options: ImportDialogOptions): void =>
  useDialog.setState({ options })
export const closeImportDialog = (): void => useDialog.setState({ options: null })

export const cardIdOf = (importId: string): string => `import-${importId}`

/** State of a card in this browser: it started the import, showed it, or the user closed the card. */
export type CardState = 'started' | 'seen' | 'closed'

/** Maximum number of stored card states. It exceeds the number of imports that a server lists. */
const MAX_REMEMBERED = 100

/** State of each card by import id. Shared by all tabs of a browser. */
const useCards = createPreferences('import-cards', {
  cards: {} as Readonly<Record<string, CardState>>,
})

if ('document' in globalThis) {
  window.addEventListener('storage', ({ key }) => {
    if (key === useCards.persist.getOptions().name) void useCards.persist.rehydrate()
  })
}

export const useCardStates = (): Readonly<Record<string, CardState>> =>
  useCards(({ cards }) => cards)

function setCardState(importId: string, state: CardState): void {
  useCards.setState(({ cards }) => {
    const others = Object.entries(cards).filter(([id]) => id !== importId)
    const recent = others.slice(1 - MAX_REMEMBERED)
    return { cards: Object.fromEntries([...recent, [importId, state]]) }
  })
}

/** Records that the user started this import in this browser. */
export const markImportStarted = (importId: string): void => setCardState(importId, 'started')

/** Records that this browser showed the active import, so that it also shows the result. */
export function markImportSeen(importId: string): void {
  if (useCards.getState().cards[importId] === undefined) setCardState(importId, 'seen')
}

export const closeImportCard = (importId: string): void => setCardState(importId, 'closed')
