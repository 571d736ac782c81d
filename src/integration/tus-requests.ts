import { request as requestOf } from 'node:http'
import { TUS_BYTES, TUS_VERSION } from '#contract/uploads/resumable-upload-operations.ts'

type Values = Readonly<Record<string, string>>

export const uploadMetadata = (values: Values): string =>
  Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')

/** Sends requests of the tus protocol, without a library. */
export const tusRequests = (url: string) => {
  const send = (
    method: string,
    path: string,
    headers: Values = {},
    body?: Uint8Array<ArrayBuffer>,
  ) =>
    fetch(`${url}/api/v1/${path}`, {
      method,
      headers: { 'tus-resumable': TUS_VERSION, ...headers },
      ...(body && { body }),
    })
  return {
    send,
    create: (bytes: number, values: Values = {}, headers: Values = {}) =>
      send('POST', 'uploads', {
        'upload-length': String(bytes),
        'upload-metadata': uploadMetadata(values),
        ...headers,
      }),
    patch: (place: string, offset: number, bytes: Uint8Array<ArrayBuffer>) =>
      send('PATCH', place, { 'upload-offset': String(offset), 'content-type': TUS_BYTES }, bytes),
    /** Announces all bytes, sends only some and cuts the connection. */
    breakOff: async (place: string, offset: number, all: Uint8Array, sent: number) => {
      const request = requestOf(`${url}/api/v1/${place}`, {
        method: 'PATCH',
        headers: {
          'tus-resumable': TUS_VERSION,
          'upload-offset': String(offset),
          'content-type': TUS_BYTES,
          'content-length': String(all.length - offset),
        },
      })
      request.on('error', () => {})
      const closed = new Promise((resolve) => {
        request.once('close', resolve)
      })
      await new Promise((resolve) => {
        request.write(all.subarray(offset, offset + sent), resolve)
      })
      return {
        cut: async () => {
          request.destroy()
          await closed
        },
      }
    },
    offsetOf: async (place: string) => {
      const answer = await send('HEAD', place)
      return answer.status === 200 ? Number(answer.headers.get('upload-offset')) : answer.status
    },
  }
}
