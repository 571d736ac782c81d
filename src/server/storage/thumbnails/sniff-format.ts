import { open } from 'node:fs/promises'
import type { ImageMediaType } from '#contract/image.ts'
import { imageFormats, imageMediaTypes, listImageFormats } from '#contract/image-formats.ts'
import { Refusal } from '#server/core/refusal.ts'
import { isBmpHead, isCompressedBmp } from '#server/processes/bmp.ts'
import { brandsOf } from '#server/processes/iso-media.ts'
import { systemPath } from '#server/storage/disk/system-path.ts'

/** Number of bytes at the beginning of a file that suffice to detect its format. */
export const SNIFFED_BYTES = 1024

const startsWith = (head: Buffer, bytes: string, at = 0): boolean =>
  head.subarray(at, at + bytes.length).equals(Buffer.from(bytes, 'latin1'))

const text = (head: Buffer) => head.toString('utf8').replace(/^\ufeff/, '')

/** Returns the first position that is not white space. */
const skipSpace = (markup: string, from: number): number => {
  let at = from
  while (at < markup.length && /\s/.test(markup.charAt(at))) at += 1
  return at
}

/** Returns true if a document starts with `<svg>` after any declarations and comments. */
const isSvg = (head: Buffer): boolean => {
  const markup = text(head).toLowerCase()
  const prologue = [
    ['<!--', '-->'],
    ['<?xml', '>'],
    ['<!doctype svg', '>'],
  ] as const
  let at = skipSpace(markup, 0)
  for (;;) {
    const part = prologue.find(([start]) => markup.startsWith(start, at))
    if (part === undefined) return markup.startsWith('<svg', at)
    const end = markup.indexOf(part[1], at + part[0].length)
    if (end < 0) return false
    at = skipSpace(markup, end + part[1].length)
  }
}

const isText = (head: Buffer): boolean => {
  try {
    // `stream`: the last character may be cut off.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return !head.includes(0)
  } catch {
    return false
  }
}

type Format = readonly [name: string, matches: (head: Buffer) => boolean]

const nameIn = (formats: readonly Format[], head: Buffer) =>
  formats.find(([, matches]) => matches(head))?.[0]

const matchesSignature = (head: string, signature: string): boolean =>
  [...signature].every((byte, index) => byte === '?' || byte === head[index])

/** Returns the format whose signature a file begins with. ISO media files are compared with each of their brands. */
const formatOf = (head: Buffer): ImageMediaType | undefined => {
  const brands = brandsOf(head)
  const starts =
    brands.length === 0 ? [head.toString('latin1')] : brands.map((brand) => `????ftyp${brand}`)
  return imageMediaTypes.find((mediaType) =>
    imageFormats[mediaType].signatures.some((signature) =>
      starts.some((start) => matchesSignature(start, signature)),
    ),
  )
}

/** Files with the signature of a supported format that cannot be decoded. */
const undecodable: readonly Format[] = [
  ['a compressed BMP', (head) => isBmpHead(head) && isCompressedBmp(head)],
  ['Canon RAW', (head) => formatOf(head) === 'image/tiff' && startsWith(head, 'CR', 8)],
]

/** Brands of image sequences, of several views, and of HEIF files whose encoding no brand names. */
const UNUSUAL_HEIF = /^(?:hei[ms]|hev[cxms]|mif1|msf1|avis)$/

/** Common image formats that this server does not support, by the name that users know. */
const unsupported: readonly Format[] = [
  ['an unusual HEIF', (head) => brandsOf(head).some((brand) => UNUSUAL_HEIF.test(brand))],
  ['SVG', isSvg],
  [
    'JPEG 2000',
    (head) => startsWith(head, '\0\0\0\x0cjP  ') || startsWith(head, '\xff\x4f\xff\x51'),
  ],
  ['Photoshop', (head) => startsWith(head, '8BPS')],
  ['ICO', (head) => startsWith(head, '\0\0\x01\0')],
  ['OpenEXR', (head) => startsWith(head, '\x76\x2f\x31\x01')],
  ['PDF', (head) => startsWith(head, '%PDF')],
]

/** First boxes of a QuickTime file that does not say what it is. */
const QUICKTIME_BOX = /^(?:moov|mdat|wide|free|skip|pnot)$/

/** True for a container of videos, and for ISO media files that are no images. */
const isVideoHead = (head: Buffer): boolean =>
  brandsOf(head).length > 0 ||
  startsWith(head, '\x1a\x45\xdf\xa3') ||
  QUICKTIME_BOX.test(head.toString('latin1', 4, 8))

/** Returns what a file must be decoded as: a video if it begins like one, otherwise an image. */
export const kindOfFile = async (path: string): Promise<'image' | 'video'> => {
  await using file = await open(systemPath(path), 'r')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0)
  return kindOfHead(buffer.subarray(0, bytesRead))
}

/** As `kindOfFile`, for the first `SNIFFED_BYTES` of a file. */
export const kindOfHead = (head: Buffer): 'image' | 'video' => {
  const isImage = formatOf(head) !== undefined || nameIn(unsupported, head) !== undefined
  return !isImage && isVideoHead(head) ? 'video' : 'image'
}

/** Files that are not images. */
const nonImages: readonly Format[] = [
  ['an HTML page', (head) => /^\s*(?:<!doctype html|<html|<head|<body|<script)/i.test(text(head))],
  ['a zip file', (head) => startsWith(head, 'PK\x03\x04')],
  ['a video', isVideoHead],
  ['a text file', isText],
]

/** @throws {Refusal} `unsupported_format`, `not_an_image`, `unreadable_image`, with the name of a known format. */
export const sniffFormat = (head: Buffer): ImageMediaType => {
  const cause = nameIn(undecodable, head)
  const mediaType = formatOf(head)
  if (mediaType !== undefined && cause === undefined) return mediaType
  const format = cause ?? nameIn(unsupported, head)
  if (format !== undefined) {
    throw new Refusal(
      'unsupported_format',
      `Failed to read image: this is ${format}; only ${listImageFormats()} are taken in.`,
    )
  }
  const other = nameIn(nonImages, head)
  if (other !== undefined) throw new Refusal('not_an_image', `Not an image: this is ${other}.`)
  throw new Refusal('unreadable_image')
}
