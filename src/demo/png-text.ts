import { crc32 } from 'node:zlib'

const signatureAndHeaderBytes = 8 + 4 + 4 + 13 + 4

const chunk = (type: 'tEXt' | 'iTXt', data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return frame
}

// tEXt supports only Latin-1. Other text goes into iTXt, as in the libraries of the generators.
const isLatin1 = (text: string) => !/[^\0-\u00ff]/u.test(text)

const textChunk = (keyword: string, text: string): Buffer =>
  isLatin1(text)
    ? chunk('tEXt', Buffer.from(`${keyword}\0${text}`, 'latin1'))
    : chunk('iTXt', Buffer.from(`${keyword}\0\0\0\0\0${text}`, 'utf8'))

/** Adds text chunks after the header of a PNG, where generators write them. sharp cannot write them. */
export const addPngText = (png: Uint8Array, texts: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat([
    png.subarray(0, signatureAndHeaderBytes),
    ...Object.entries(texts).map(([keyword, text]) => textChunk(keyword, text)),
    png.subarray(signatureAndHeaderBytes),
  ])
