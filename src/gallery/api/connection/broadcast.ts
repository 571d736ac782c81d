import type { ShownChange } from '#gallery/api/images/show-change.ts'

/** A message between tabs: a confirmed change, or an unspecified change of the server's data. */
export type TabMessage =
  | { readonly kind: 'something' }
  | { readonly kind: 'change'; readonly change: Omit<ShownChange, 'rule'> }

/** No channel in unit tests: an open channel keeps Node from exiting. */
const channel = 'document' in globalThis ? new BroadcastChannel('tessera') : undefined

/** Sends a change to the other tabs. Without details they refetch all data. */
export function notifyOtherTabs(news: TabMessage = { kind: 'something' }): void {
  channel?.postMessage(news)
}

/** Subscribes to messages of other tabs. */
export function onTabMessage(listener: (news: TabMessage) => void): void {
  channel?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => listener(data))
}
