import type { ShownChange } from '#gallery/api/images/show-change.ts'
import type { JournalMessage } from '#gallery/api/journal/journal-types.ts'

/** A message between tabs: a confirmed change, an unspecified change of the server's data, or one of the journal. */
export type TabMessage =
  | { readonly kind: 'something' }
  | { readonly kind: 'change'; readonly change: Omit<ShownChange, 'rule'> }
  | { readonly kind: 'journal'; readonly message: JournalMessage }

export type OpenChannel = (name: string) => BroadcastChannel

/** Tells the other tabs about changes. */
export class OtherTabs {
  readonly #openChannel: OpenChannel
  #channel: BroadcastChannel | undefined

  constructor(openChannel: OpenChannel) {
    this.#openChannel = openChannel
  }

  /** Opens the channel. Before that, no message is sent. */
  start(signal: AbortSignal, onMessage: (message: TabMessage) => void): void {
    const channel = this.#openChannel('tessera')
    channel.onmessage = ({ data }: MessageEvent<TabMessage>) => onMessage(data)
    signal.addEventListener('abort', () => channel.close())
    this.#channel = channel
  }

  /** Sends a change to the other tabs. Without details they refetch all data. */
  notify(message: TabMessage = { kind: 'something' }): void {
    this.#channel?.postMessage(message)
  }
}
