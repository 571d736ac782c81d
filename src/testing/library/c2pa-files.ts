import { crc32 } from 'node:zlib'
import { encode } from 'cborg'

/** Returns a box of JUMBF: its size, its type and the content. */
export const jumbf = (type: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}

const superbox = (label: string, ...content: Buffer[]): Buffer => {
  const description = Buffer.concat([Buffer.alloc(16), Buffer.from([3]), Buffer.from(`${label}\0`)])
  return jumbf('jumb', Buffer.concat([jumbf('jumd', description), ...content]))
}

/** Returns an unsigned C2PA manifest with a claim and actions. `padding` stands for a thumbnail. */
export const manifestOf = (claim: object, actions: object, padding = 0): Buffer =>
  superbox(
    'c2pa',
    superbox(
      'urn:uuid:1',
      superbox(
        'c2pa.assertions',
        superbox('c2pa.thumbnail.claim.jpeg', jumbf('bidb', Buffer.alloc(padding))),
        superbox('c2pa.actions.v2', jumbf('cbor', Buffer.from(encode(actions)))),
      ),
      superbox('c2pa.claim.v2', jumbf('cbor', Buffer.from(encode(claim)))),
    ),
  )

const pngChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

const webpChunk = (data: Buffer): Buffer => {
  const head = Buffer.from('C2PA\0\0\0\0', 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

const SEGMENT_BYTES = 60_000

/** Splits a manifest into APP11 segments; each after the first repeats the header of the box. */
const jpegSegments = (manifest: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(manifest.length / SEGMENT_BYTES) }, (_, index) => {
    const part = manifest.subarray(index * SEGMENT_BYTES, (index + 1) * SEGMENT_BYTES)
    const box = index === 0 ? [] : [manifest.subarray(0, 8)]
    const head = Buffer.from([0xff, 0xeb, 0, 0, 0x4a, 0x50, 0, 1, 0, 0, 0, index + 1])
    const segment = Buffer.concat([head, ...box, part])
    segment.writeUInt16BE(segment.length - 2, 2)
    return segment
  })

/** Adds a C2PA manifest to a file, where each format carries it. */
export const embedManifest = (
  image: Buffer,
  format: 'png' | 'jpeg' | 'webp',
  manifest: Buffer,
): Buffer => {
  if (format === 'png') {
    return Buffer.concat([image.subarray(0, 33), pngChunk('caBX', manifest), image.subarray(33)])
  }
  if (format === 'jpeg') {
    return Buffer.concat([image.subarray(0, 2), ...jpegSegments(manifest), image.subarray(2)])
  }
  const file = Buffer.concat([image, webpChunk(manifest)])
  file.writeUInt32LE(file.length - 8, 4)
  return file
}
