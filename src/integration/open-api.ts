import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Board } from '#contract/board.ts'
import type { ImageRecord } from '#contract/image.ts'
import { createServer, type ServerOptions } from '#server/index.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { createSettableClock, type SettableClock } from '#testing/settable-clock.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

/** The status, headers and body of an answer. */
export interface Answer {
  status: number
  headers: Headers
  /** The parsed JSON, or the text if the answer is not JSON. */
  body: unknown
}

/** A real server with its HTTP API, without the client library. */
export interface Api {
  readonly url: string
  readonly dataFolder: string
  readonly clock: SettableClock
  /** Sends a request. `json` becomes the body, with the content type JSON. */
  send(method: string, path: string, init?: RequestInit & { json?: unknown }): Promise<Answer>
  /** Uploads a file. `query` is added to a category and `is_intermediate=false`. */
  upload(
    file: Blob,
    query?: Record<string, string>,
    parts?: Record<string, string>,
  ): Promise<Answer>
  /** Draws an image and uploads it. Throws if the upload is refused. */
  makeImage(fileName: string, query?: Record<string, string>): Promise<ImageRecord>
  makeBoard(name: string): Promise<Board>
  /** Returns all files in the data folder that an image could have left. */
  storedFiles(): Promise<string[]>
  close(): Promise<void>
}

/** Folders to which uploads write, finished or not. */
const uploadFolders = ['images', 'incoming', 'thumbnails', 'set-aside', 'downloads']

/**
 * Opens a server on a free port with a new data folder. Rate limits are off by default.
 *
 * @param prepare - Fills the data folder before the server opens it.
 */
export async function openApi(
  options: Partial<ServerOptions> = {},
  prepare?: (dataFolder: string) => Promise<void>,
): Promise<Api> {
  const dataFolder = await createTemporaryFolder()
  await prepare?.(dataFolder)
  const clock = createSettableClock()
  const server = await createServer({ rateLimit: 'off', clock, ...options, dataFolder })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })

  const send: Api['send'] = async (method, path, { json, ...init } = {}) => {
    const response = await fetch(`${url}${path}`, {
      redirect: 'manual',
      method,
      ...init,
      ...(json !== undefined && {
        body: JSON.stringify(json),
        headers: { 'content-type': 'application/json', ...init.headers },
      }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : text,
    }
  }

  const upload: Api['upload'] = (file, query = {}, parts = {}) => {
    const form = new FormData()
    form.append('file', file)
    for (const [name, text] of Object.entries(parts)) form.append(name, text)
    const all = new URLSearchParams({ image_category: 'user', is_intermediate: 'false', ...query })
    return send('POST', `/api/v1/images/upload?${all}`, { body: form })
  }

  return {
    url,
    dataFolder,
    clock,
    send,
    upload,
    makeImage: async (fileName, query) => {
      const answer = await upload(await drawFile(fileName), query)
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
      clock.advance(1000) // so that no two images have the same date
      return answer.body as ImageRecord
    },
    makeBoard: async (name) => {
      const answer = await send(
        'POST',
        `/api/v1/boards/?${new URLSearchParams({ board_name: name })}`,
      )
      return answer.body as Board
    },
    storedFiles: async () => {
      const lists = await Promise.all(
        uploadFolders.map((folder) =>
          readdir(join(dataFolder, folder), { recursive: true, withFileTypes: true }),
        ),
      )
      return lists.flat().flatMap((entry) => (entry.isFile() ? [entry.name] : []))
    },
    close: async () => {
      await server.close()
      await removeFolder(dataFolder)
    },
  }
}
