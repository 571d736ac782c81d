import type { JournalMessage } from '#gallery/api/journal/journal-types.ts'

/** A message between tabs: the server's data has changed, or the journal has. */
export type TabMessage =
  | { readonly kind: 'something' }
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

  /** Sends a message to the other tabs. The default makes them refetch all data, unless the server tells them. */
  notify(message: TabMessage = { kind: 'something' }): void {
    this.#channel?.postMessage(message)
  }
}
