import type { UploadProgress } from './call.ts'

interface XhrRequest {
  readonly method: string
  readonly headers: Headers
  readonly body: FormData | Blob | string | null
  readonly signal: AbortSignal | null
}

/** `Response` refuses a body with this status. */
const NO_CONTENT = 204

/** Parses the result of `getAllResponseHeaders`, which has one header per line. */
const headersOf = (lines: string): Headers => {
  const headers = new Headers()
  for (const line of lines.trim().split(/[\r\n]+/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return headers
}

/** Sends a request like `fetch`, with a streamed response, and reports upload progress, which `fetch` cannot. */
export const sendByXhr = (
  url: string,
  request: XhrRequest,
  onProgress: (progress: UploadProgress) => void,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    const encoder = new TextEncoder()
    let read = 0
    let answer: ReadableStreamDefaultController<Uint8Array> | null = null
    const hangUp = () => xhr.abort()

    const pass = () => {
      const text = xhr.responseText.slice(read)
      read = xhr.responseText.length
      if (text !== '') answer?.enqueue(encoder.encode(text))
    }
    const fail = (reason: unknown) => {
      request.signal?.removeEventListener('abort', hangUp)
      if (answer === null) reject(reason)
      else answer.error(reason)
    }

    xhr.upload.onprogress = ({ loaded, total }) =>
      onProgress({ sentBytes: loaded, totalBytes: total })
    xhr.onreadystatechange = () => {
      if (xhr.readyState !== XMLHttpRequest.HEADERS_RECEIVED) return
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          answer = controller
        },
        cancel: hangUp,
      })
      const { status, statusText } = xhr
      const headers = headersOf(xhr.getAllResponseHeaders())
      resolve(new Response(status === NO_CONTENT ? null : body, { status, statusText, headers }))
    }
    xhr.onprogress = pass
    xhr.onload = () => {
      request.signal?.removeEventListener('abort', hangUp)
      pass()
      answer?.close()
    }
    xhr.onerror = () => fail(new TypeError('The connection failed'))
    xhr.onabort = () => fail(request.signal?.reason ?? new DOMException('Given up', 'AbortError'))

    xhr.open(request.method, url)
    for (const [name, value] of request.headers) xhr.setRequestHeader(name, value)
    if (request.signal?.aborted) return reject(request.signal.reason)
    request.signal?.addEventListener('abort', hangUp, { once: true })
    xhr.send(request.body)
  })
