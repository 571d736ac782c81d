import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** The initial values of the dialog. */
export interface ImportDialogOptions {
  /** The open board; `null` if none is, so that folders become boards. */
  readonly boardName: string | null
}

const useDialog = create<{ options: ImportDialogOptions | null }>(() => ({ options: null }))

export const useImportDialogOptions = (): ImportDialogOptions | null =>
  useDialog(({ options }) => options)
export const openImportDialog = (options: ImportDialogOptions): void =>
  useDialog.setState({ options })
export const closeImportDialog = (): void => useDialog.setState({ options: null })

/** The element ID of a card. */
export const cardIdOf = (importId: string): string => `import-${importId}`

/** How this browser came to the card of an import, or that a person closed the card. */
export type CardState = 'started' | 'seen' | 'closed'

/** More imports than a server lists. */
const MAX_REMEMBERED = 100

const STORE_NAME = 'tessera:import-cards'

/** The state of each card by the ID of its import. Shared by the tabs of a browser. */
const useCards = create(
  persist(() => ({ cards: {} as Readonly<Record<string, CardState>> }), { name: STORE_NAME }),
)

if ('document' in globalThis) {
  window.addEventListener('storage', ({ key }) => {
    if (key === STORE_NAME) void useCards.persist.rehydrate()
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

/** A person started this import in this browser. */
export const markImportStarted = (importId: string): void => setCardState(importId, 'started')

/** This browser showed the import while it was active, so it shows the result too. */
export function markImportSeen(importId: string): void {
  if (useCards.getState().cards[importId] === undefined) setCardState(importId, 'seen')
}

export const closeImportCard = (importId: string): void => setCardState(importId, 'closed')
