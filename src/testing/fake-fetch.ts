import type { BoardAnswer } from '#client/boards/board.ts'
import type { ImageAnswer } from '#client/images/image-operations.ts'
import type { Fetch } from '#client/transport/http.ts'

/** A request as a test reads it. */
export interface SentRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  /** The JSON body; null without one. */
  readonly body: unknown
  /** The multipart body; null without one. */
  readonly parts: FormData | null
}

/** What answers a request: an answer, or a value that travels as JSON with status 200. */
export type Route = (request: SentRequest) => unknown

/** By method and path, such as `GET /api/v1/boards/`. */
export type Routes = Readonly<Record<string, Route>>

/** A JSON answer. */
export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers })

/** A refusal in the wire's form, without our header that names it. */
export const refusal = (status: number, detail: unknown): Response => json({ detail }, status)

/** What InvokeAI answers to an unknown GET (wire 0). */
export const htmlPage = (): Response =>
  new Response('<!doctype html><title>Invoke</title>', { headers: { 'content-type': 'text/html' } })

const readRequest = (url: string, init: RequestInit): SentRequest => {
  const { pathname, searchParams } = new URL(url)
  return {
    method: init.method ?? 'GET',
    path: decodeURIComponent(pathname),
    query: searchParams,
    headers: new Headers(init.headers),
    body: typeof init.body === 'string' ? JSON.parse(init.body) : null,
    parts: init.body instanceof FormData ? init.body : null,
  }
}

/** How a test names a request: `POST /api/v1/board_images/ {"image_name":"cat.png"}`. */
const lineOf = ({ method, path, query, body }: SentRequest): string =>
  [
    method,
    query.size > 0 ? `${path}?${decodeURIComponent(query.toString())}` : path,
    ...(body === null ? [] : [JSON.stringify(body)]),
  ].join(' ')

/**
 * A server in place of `fetch`, which is a boundary that we do not own. What no route answers, gets a
 * 404 for an unknown path of ours.
 */
export class FakeFetch {
  readonly requests: SentRequest[] = []
  readonly #routes: Routes

  constructor(routes: Routes) {
    this.#routes = routes
  }

  readonly fetch: Fetch = async (url, init) => {
    init.signal?.throwIfAborted()
    const request = readRequest(url, init)
    this.requests.push(request)
    const route = this.#routes[`${request.method} ${request.path}`]
    const answer = route ? await route(request) : refusal(404, 'Not Found')
    return answer instanceof Response ? answer : json(answer)
  }

  /** The requests so far, a line each. */
  get lines(): string[] {
    return this.requests.map(lineOf)
  }
}

/** A board as our server sends it. */
export const boardAnswer = (board: Partial<BoardAnswer> = {}): BoardAnswer => ({
  ...invokeAiBoard(),
  description: null,
  starred: null,
  is_private: false,
  board_visibility: 'shared',
  ...board,
})

/** A board as InvokeAI sends it (wire 1): no description, no star, no `is_private`. */
export const invokeAiBoard = (board: Partial<BoardAnswer> = {}): BoardAnswer => ({
  board_id: 'portraits',
  board_name: 'Portraits',
  user_id: 'system',
  created_at: '2026-11-21 07:32:39.125',
  updated_at: '2026-11-21 07:32:39.125',
  deleted_at: null,
  cover_image_name: null,
  archived: false,
  board_visibility: 'private',
  cover_video_name: null,
  image_count: 0,
  video_count: 0,
  asset_count: 0,
  owner_username: null,
  ...board,
})

/** An image as InvokeAI sends it (wire 2.1). */
export const imageAnswer = (image: Partial<ImageAnswer> = {}): ImageAnswer => {
  const { image_name = 'cat.png' } = image
  return {
    image_name,
    image_url: `api/v1/images/i/${image_name}/full`,
    thumbnail_url: `api/v1/images/i/${image_name}/thumbnail`,
    image_origin: 'external',
    image_category: 'user',
    width: 64,
    height: 48,
    created_at: '2026-11-21 07:32:39.125',
    updated_at: '2026-11-21 07:32:39.125',
    deleted_at: null,
    is_intermediate: false,
    session_id: null,
    node_id: null,
    starred: false,
    has_workflow: false,
    image_subfolder: '',
    board_id: null,
    ...image,
  }
}

/** A page of images. */
export const pageOf = (...items: ImageAnswer[]) => ({
  limit: 100,
  offset: 0,
  total: items.length,
  items,
})
