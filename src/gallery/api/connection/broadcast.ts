import type { ShownChange } from '#gallery/api/images/show-change.ts'

/** What a tab tells the others: what was changed on the server, or only that something was. */
export type TabMessage =
  | { readonly kind: 'something' }
  | { readonly kind: 'change'; readonly change: Omit<ShownChange, 'rule'> }

/** Tests have no other tabs, and an open channel would keep Node from ending. */
const channel = 'document' in globalThis ? new BroadcastChannel('tessera') : undefined

/** Tells the other tabs what the server has, so that they need not ask; or that they have to. */
export function notifyOtherTabs(news: TabMessage = { kind: 'something' }): void {
  channel?.postMessage(news)
}

/** Calls back when another tab has changed something. */
export function onTabMessage(listener: (news: TabMessage) => void): void {
  channel?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => listener(data))
}
