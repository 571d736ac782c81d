import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { IDBFactory } from 'fake-indexeddb'
import { createElement } from 'react'
import { expect, onTestFinished, vi } from 'vitest'
import { LibraryMaker } from '#testing/library/library-maker.ts'
import { reuseServer } from '#testing/server/reuse-server.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'

type ServerOptions = Parameters<typeof startServer>[0]

/** The name of a tile's file is its tooltip; the tile itself is called by its prompt. */
export const fileNameOfTile = (tile: Element): string | null =>
  tile.querySelector('[data-picture]')?.getAttribute('title') ?? null

/** The page as a person sees it, in a window without a layout, with a real server. */
export class GalleryInWindow {
  readonly server: RunningServer
  /** Makes and reads the library. */
  readonly api: LibraryMaker
  readonly user: UserEvent
  /** Whether the page listens to the events of the queue, by a socket. */
  watchesQueue = false
  /** Called before each request of the page. A test can count requests, delay them and make them fail. */
  onRequest: (request: { method: string; path: string }) => unknown = () => undefined

  /** Channels to other tabs. An unloaded page loses them. */
  readonly #channels: BroadcastChannel[] = []
  /** Requests of the page that have no answer yet. */
  readonly #requests = new Set<Promise<Response>>()

  private constructor(server: RunningServer) {
    this.server = server
    const channels = this.#channels
    vi.stubGlobal(
      'BroadcastChannel',
      class extends BroadcastChannel {
        #isClosed = false

        constructor(name: string) {
          super(name)
          channels.push(this)
        }

        override postMessage(message: unknown): void {
          // An unloaded page runs no code, but this one may have timers left.
          if (!this.#isClosed) super.postMessage(message)
        }

        override close(): void {
          this.#isClosed = true
          super.close()
        }
      },
    )
    this.api = new LibraryMaker(server.client)
    this.user = userEvent.setup({ delay: null, pointerEventsCheck: 0 })
  }

  /** Starts a server for this test. The page is not open yet. */
  static async start(options: ServerOptions = {}): Promise<GalleryInWindow> {
    const server = await startServer({ usesSystemTime: true, ...options })
    onTestFinished(() => server.close())
    return GalleryInWindow.#on(server)
  }

  /** For the tests of a file that can use one server (`reuseServer`). The page is not open yet. */
  static reusingServer(): () => Promise<GalleryInWindow> {
    const getServer = reuseServer({ usesSystemTime: true })
    return async () => GalleryInWindow.#on(await getServer())
  }

  static #on(server: RunningServer): GalleryInWindow {
    // happy-dom has no IndexedDB.
    vi.stubGlobal('indexedDB', new IDBFactory())
    const gallery = new GalleryInWindow(server)
    onTestFinished(() => gallery.#close())
    return gallery
  }

  /** Loads the page anew: at all images, at Assets (`none`), at the trash, or at a board of this name. */
  async open({ board, path }: { board?: string; path?: string } = {}): Promise<void> {
    const address = path ?? (board === undefined ? '/' : `/?board=${await this.#boardId(board)}`)
    await this.#unload()
    const { happyDOM } = window as unknown as { happyDOM: { setURL(url: string): void } }
    happyDOM.setURL(this.server.url + address)
    this.#answerRequests()
    // The only style that code looks at: whether something scrolls.
    document.head.innerHTML = '<style>[class*=overflow-] { overflow-y: auto }</style>'
    vi.resetModules() // the modules of the page hold its state
    // As main.tsx does.
    const { preparePage } = await import('#gallery/prepare-page.ts')
    const { watchQueue } = await import('#gallery/api/queue/queue-events.ts')
    const { App } = await import('#gallery/app.tsx')
    await preparePage()
    render(createElement(App))
    if (!this.watchesQueue) return
    const { onEventLineOpen } = await import('#gallery/api/connection/server-events.ts')
    const isOpen = Promise.withResolvers<boolean>()
    onEventLineOpen(isOpen.resolve)
    await watchQueue()
    await isOpen.promise
  }

  /** Loads the page anew where it is. */
  async reload(): Promise<void> {
    await this.open({ path: window.location.pathname + window.location.search })
  }

  get sidebar() {
    return within(screen.getByRole('navigation', { name: 'Boards' }))
  }

  /** The row of a board, of Assets, of All images, or of the trash. */
  board(name: string): Promise<HTMLElement> {
    return waitFor(() => this.sidebar.getByRole('link', { name }))
  }

  /** Whether the sidebar has this row. */
  hasBoard(name: string): boolean {
    return this.sidebar.queryByRole('link', { name }) !== null
  }

  /** The number at the end of a board's row. */
  countOn(name: string): string | null {
    const row = this.sidebar.queryByRole('link', { name })?.closest('div')
    return row ? (within(row).queryByText(/^[\d,]+$/)?.textContent ?? null) : null
  }

  /** Presses a button as soon as it is there. */
  async press(name: string | RegExp): Promise<void> {
    await this.user.click(await screen.findByRole('button', { name }))
  }

  async openBoard(name: string): Promise<void> {
    await this.user.click(await this.board(name))
  }

  async chooseForBoard(name: string, item: string | RegExp): Promise<void> {
    await this.user.click(await screen.findByRole('button', { name: `Options for ${name}` }))
    await this.user.click(await screen.findByRole('menuitem', { name: item }))
  }

  /** Deletes a board and keeps its images. */
  async deleteBoard(name: string): Promise<void> {
    await this.chooseForBoard(name, 'Delete board…')
    await this.user.click(await screen.findByRole('button', { name: /^Delete board/ }))
  }

  /** The names of the tiles, in their order. */
  tiles(): (string | null)[] {
    const grid = screen.queryByRole('grid', { name: 'Images' })
    if (grid === null) return []
    return within(grid).queryAllByRole('gridcell').map(fileNameOfTile)
  }

  /** The tile of an image, by the name of its file. */
  async image(fileName: string): Promise<HTMLElement> {
    const tile = (await screen.findByTitle(fileName)).closest<HTMLElement>('[role=gridcell]')
    if (tile === null) throw new Error(`${fileName} is in no tile.`)
    return tile
  }

  /** Selects these images and no others. */
  async select(...fileNames: readonly string[]): Promise<void> {
    const [first, ...others] = fileNames
    if (first !== undefined) await this.user.click(await this.image(first))
    await this.user.keyboard('{Control>}')
    for (const name of others) await this.user.click(await this.image(name))
    await this.user.keyboard('{/Control}')
  }

  get selectionBar() {
    return within(screen.getByRole('toolbar', { name: 'Selection' }))
  }

  async deleteImage(fileName: string): Promise<void> {
    await this.select(fileName)
    await this.user.click(this.selectionBar.getByRole('button', { name: 'Delete' }))
  }

  /** Chooses an item of the sort menu and closes the menu. */
  async sort(by: string): Promise<void> {
    await this.press('Sort')
    await this.user.click(await within(await screen.findByRole('menu')).findByText(by))
    await this.user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  }

  /** Loads the page with an image in the viewer. */
  async view(fileName: string): Promise<HTMLElement> {
    const { items } = await this.api.client.images.page({}, { offset: 0, limit: -1 })
    const image = items.find(({ file_name }) => file_name === fileName)
    await this.open({ path: `/?image=${image?.image_name}` })
    return screen.findByRole('dialog', { name: 'Image viewer' })
  }

  /** A message that comes and goes by itself. */
  toast(text: string | RegExp): Promise<HTMLElement> {
    return waitFor(() => within(screen.getByRole('region', { name: /^Messages/ })).getByText(text))
  }

  /** Presses Undo in the newest message. */
  async undo(): Promise<void> {
    const buttons = await screen.findAllByRole('button', { name: 'Undo' })
    await this.user.click(buttons.at(-1) as HTMLElement)
  }

  async #boardId(name: string): Promise<string> {
    if (name === 'none' || name === 'trash') return name
    const board = await this.api.client.boards.getBoardHandleByName(name)
    if (board === null) throw new Error(`No board is named ${name}.`)
    return board.boardId
  }

  /** The page uses addresses without a host, which Node's `fetch` refuses. */
  #answerRequests(): void {
    vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
      await this.onRequest({ method: init?.method ?? 'GET', path })
      const request = fetchOfNode(new URL(path, this.server.url), init)
      const forget = () => this.#requests.delete(request)
      this.#requests.add(request)
      request.then(forget, forget)
      return request
    })
  }

  /** Ends what the page does outside of its components. */
  async #unload(): Promise<void> {
    cleanup()
    window.dispatchEvent(new Event('pagehide'))
    for (const channel of this.#channels.splice(0)) channel.close()
    const { queryClient } = await import('#gallery/api/connection/connection.ts')
    queryClient.clear()
  }

  async #close(): Promise<void> {
    await this.#unload()
    vi.unstubAllGlobals()
    localStorage.clear()
    sessionStorage.clear()
    await Promise.allSettled(this.#requests)
  }
}

const fetchOfNode = globalThis.fetch
