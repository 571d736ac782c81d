import type { BoardAnswer } from '#client/boards/board.ts'
import { type ImageAnswer, imageOfAnswer } from '#client/images/image-records.ts'
import type { Fetch } from '#client/transport/http.ts'
import type { ImageRecord } from '#contract/image.ts'

/** A recorded request. */
export interface SentRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  /** The JSON body, or null without one. */
  readonly body: unknown
  /** The multipart body, or null without one. */
  readonly parts: FormData | null
}

/** Answers a request with a Response, or with a value that is sent as JSON with status 200. */
export type Route = (request: SentRequest) => unknown

/** Routes by method and path, such as `GET /api/v1/boards/`. */
export type Routes = Readonly<Record<string, Route>>

/** Creates a JSON response. */
export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers })

/** Creates a refusal in InvokeAI's format, without Tessera's header for the code. */
export const refusal = (status: number, detail: unknown): Response => json({ detail }, status)

/** InvokeAI's answer to a GET of an unknown path. */
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

/** Formats a request for a test: `POST /api/v1/board_images/ {"image_name":"cat.png"}`. */
const lineOf = ({ method, path, query, body }: SentRequest): string =>
  [
    method,
    query.size > 0 ? `${path}?${decodeURIComponent(query.toString())}` : path,
    ...(body === null ? [] : [JSON.stringify(body)]),
  ].join(' ')

/**
 * A fake server in place of `fetch`, the boundary to the network. Requests without a route get Tessera's 404
 * for an unknown path.
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

  /** The requests so far, one line each. */
  get lines(): string[] {
    return this.requests.map(lineOf)
  }
}

/** Creates a board as Tessera sends it. */
export const boardAnswer = (board: Partial<BoardAnswer> = {}): BoardAnswer => ({
  ...invokeAiBoard(),
  description: null,
  starred: null,
  is_private: false,
  board_visibility: 'shared',
  ...board,
})

/** Creates a board as InvokeAI sends it, without description, star and `is_private`. */
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

/** Creates an image as InvokeAI sends it. */
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

/** Creates an image as the client returns it. */
export const imageRecord = (image: Partial<ImageRecord> = {}): ImageRecord =>
  imageOfAnswer(imageAnswer(image))

/** Creates a page of images. */
export const pageOf = (...items: ImageAnswer[]) => ({
  limit: 100,
  offset: 0,
  total: items.length,
  items,
})
