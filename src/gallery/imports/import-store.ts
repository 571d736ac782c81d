import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** What the dialog begins with; null while it is closed. */
export interface ImportWish {
  /** The board that is open; null: none is, and folders become boards. */
  readonly boardName: string | null
}

const useDialog = create<{ wish: ImportWish | null }>(() => ({ wish: null }))

export const useImportWish = (): ImportWish | null => useDialog(({ wish }) => wish)
export const importWanted = (wish: ImportWish): void => useDialog.setState({ wish })
export const importDialogClosed = (): void => useDialog.setState({ wish: null })

/** Where a card is found, to be given the focus. */
export const cardIdOf = (importId: string): string => `import-${importId}`

/** Far more than a server lists. */
const MAX_REMEMBERED = 100

const STORE_NAME = 'tessera:closed-imports'

/** Cards that were closed stay so after a reload, and in other tabs. */
const useClosed = create(
  persist(() => ({ importIds: [] as readonly string[] }), { name: STORE_NAME }),
)

if ('document' in globalThis) {
  window.addEventListener('storage', ({ key }) => {
    if (key === STORE_NAME) void useClosed.persist.rehydrate()
  })
}

export const useClosedImportIds = (): readonly string[] => useClosed(({ importIds }) => importIds)

export function importCardClosed(importId: string): void {
  useClosed.setState(({ importIds }) => ({
    importIds: [importId, ...importIds].slice(0, MAX_REMEMBERED),
  }))
}
