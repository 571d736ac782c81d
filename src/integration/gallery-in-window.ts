import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { IDBFactory } from 'fake-indexeddb'
import { createElement } from 'react'
import { expect, onTestFinished, vi } from 'vitest'
import type { Fetch } from '#client/index.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { LibraryMaker } from '#testing/library/library-maker.ts'
import { reuseServer } from '#testing/server/reuse-server.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'

type ServerOptions = Parameters<typeof startServer>[0]

const fetchOfNode = globalThis.fetch

/** Returns the file name of a tile. (The accessible name of a tile is its prompt.) */
export const fileNameOfTile = (tile: Element): string | null =>
  tile.querySelector<HTMLElement>('[data-picture]')?.dataset.picture ?? null

/** The page in a DOM without layout, connected to a real server. */
export class GalleryInWindow {
  readonly server: RunningServer
  /** Creates and reads the content of the library. */
  readonly api: LibraryMaker
  readonly user: UserEvent
  /** True if the page opens a socket for the events of the queue. */
  watchesQueue = false
  /** Called before each request of the page. A test can count requests, delay them and make them fail. */
  onRequest: (request: { method: string; path: string }) => unknown = () => undefined

  /** Sends the requests of the page. */
  fetch: Fetch = fetchOfNode

  /** Returns an answer instead of the server's; undefined to ask the server. */
  answer: (request: { method: string; path: string }) => Response | undefined = () => undefined

  /** Channels to other tabs. They are closed when the page is unloaded. */
  readonly #channels: BroadcastChannel[] = []
  #page: GalleryApi | undefined
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
          // A page that is unloaded runs no code, but here its timers may still fire.
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

  /** Starts a server for one test. The page is not open yet. */
  static async start(options: ServerOptions = {}): Promise<GalleryInWindow> {
    const server = await startServer({ usesSystemTime: true, ...options })
    onTestFinished(() => server.close())
    return GalleryInWindow.#on(server)
  }

  /** Shares one server between the tests of a file (`reuseServer`). The page is not open yet. */
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

  /** Loads the page: All images by default, or Assets (`none`), the trash, or the board of this name. */
  async open({ board, path }: { board?: string; path?: string } = {}): Promise<void> {
    const address = path ?? (board === undefined ? '/' : `/?board=${await this.#boardId(board)}`)
    await this.#unload()
    const { happyDOM } = window as unknown as { happyDOM: { setURL(url: string): void } }
    happyDOM.setURL(this.server.url + address)
    this.#answerRequests()
    // The only style that the code reads: `overflow`, to find scroll containers.
    document.head.innerHTML = '<style>[class*=overflow-] { overflow-y: auto }</style>'
    vi.resetModules() // modules hold the state of the page
    // The same preparation as in main.ts and render-page.tsx.
    const { testGalleryApi } = await import('./test-gallery-api.ts')
    const { preparePage } = await import('#gallery/prepare-page.ts')
    const { readShares } = await import('#gallery/uploads/shared-files.ts')
    const { App } = await import('#gallery/app.tsx')
    // The tests start with the whole page, not with the first images.
    const restAfter = () => Promise.resolve()
    await import('#gallery/rest-of-page.tsx')
    await (await import('#gallery/images/grid/image-grid.tsx')).SelectionBar.preload()
    const api = testGalleryApi()
    this.#page = api
    const { shareOutcome } = await preparePage(api)
    void readShares(shareOutcome)
    await act(async () => void render(createElement(App, { api, restAfter })))
    if (!this.watchesQueue) return
    const isOpen = Promise.withResolvers<boolean>()
    api.events.onConnected(isOpen.resolve)
    await api.watchQueue()
    await isOpen.promise
  }

  /** Waits until the page has no unanswered request, and makes none because of the last answers. */
  async settled(): Promise<void> {
    do {
      await Promise.allSettled(this.#requests)
      await new Promise((resolve) => setTimeout(resolve))
    } while (this.#requests.size > 0)
  }

  /** The data layer of the page. */
  get page(): GalleryApi {
    if (this.#page === undefined) throw new Error('The page is not open.')
    return this.#page
  }

  /** Loads the page again at the current address. */
  async reload(): Promise<void> {
    await this.open({ path: window.location.pathname + window.location.search })
  }

  get sidebar() {
    return within(screen.getByRole('navigation', { name: 'Boards' }))
  }

  /** Returns the row of a board, of Assets, of All images, or of the trash. */
  board(name: string): Promise<HTMLElement> {
    return waitFor(() => this.sidebar.getByRole('link', { name }))
  }

  /** True if the sidebar has this row. */
  hasBoard(name: string): boolean {
    return this.sidebar.queryByRole('link', { name }) !== null
  }

  /** Returns the number at the end of a board's row. */
  countOn(name: string): string | null {
    const row = this.sidebar.queryByRole('link', { name })?.closest('div')
    return row ? (within(row).queryByText(/^[\d,]+$/)?.textContent ?? null) : null
  }

  /** Presses a button as soon as it exists. */
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

  /** Returns the file names of the tiles in their order. */
  tiles(): (string | null)[] {
    const grid = screen.queryByRole('grid', { name: 'Images' })
    if (grid === null) return []
    return within(grid).queryAllByRole('gridcell').map(fileNameOfTile)
  }

  /** Returns the tile of an image by its file name. */
  async image(fileName: string): Promise<HTMLElement> {
    const picture = await waitFor(() => {
      const found = document.querySelector(`[data-picture=${JSON.stringify(fileName)}]`)
      if (found === null) throw new Error(`No tile shows ${fileName}.`)
      return found
    })
    const tile = picture.closest<HTMLElement>('[role=gridcell]')
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

  /** Chooses or switches one of the view options. */
  async sort(by: string): Promise<void> {
    await this.press('View options')
    const options = within(await screen.findByRole('dialog', { name: 'View options' }))
    await this.user.click(await options.findByText(by))
    await this.user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'View options' })).toBeNull())
  }

  /** Loads the page with an image open in the viewer. */
  async view(fileName: string): Promise<HTMLElement> {
    const { items } = await this.api.client.images.page({}, { offset: 0, limit: -1 })
    const image = items.find(({ file_name }) => file_name === fileName)
    await this.open({ path: `/?image=${image?.image_name}` })
    return screen.findByRole('dialog', { name: 'Image viewer' })
  }

  /** Waits for a toast with this text. */
  toast(text: string | RegExp): Promise<HTMLElement> {
    return waitFor(() => within(screen.getByRole('region', { name: /^Messages/ })).getByText(text))
  }

  /** Presses Undo in the newest toast. */
  async undo(): Promise<void> {
    const buttons = await screen.findAllByRole('button', { name: 'Undo' })
    await this.user.click(buttons.at(-1) as HTMLElement)
  }

  async #boardId(name: string): Promise<string> {
    if (['none', 'starred', 'trash'].includes(name)) return name
    const board = await this.api.client.boards.getBoardHandleByName(name)
    if (board === null) throw new Error(`No board is named ${name}.`)
    return board.boardId
  }

  /** Serves the page's requests: it uses addresses without a host, which Node's `fetch` rejects. */
  #answerRequests(): void {
    vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
      const asked = { method: init?.method ?? 'GET', path }
      await this.onRequest(asked)
      const answer = this.answer(asked)
      if (answer) return answer
      // The clients of the test use addresses with a host.
      const send = path.startsWith('/') ? this.fetch : fetchOfNode
      const request = send(new URL(path, this.server.url).href, init ?? {})
      const forget = () => this.#requests.delete(request)
      this.#requests.add(request)
      request.then(forget, forget)
      return request
    })
  }

  /** Ends what the page runs outside of its components. */
  async #unload(): Promise<void> {
    cleanup()
    window.dispatchEvent(new Event('pagehide'))
    for (const channel of this.#channels.splice(0)) channel.close()
    this.#page?.stop()
    this.#page?.queryClient.clear()
  }

  async #close(): Promise<void> {
    await this.#unload()
    vi.unstubAllGlobals()
    localStorage.clear()
    sessionStorage.clear()
    await Promise.allSettled(this.#requests)
  }
}
