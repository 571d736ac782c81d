import { type FileHandle, open } from 'node:fs/promises'
import { decode } from 'cborg'
import type { ImageMediaType } from '#contract/image.ts'
import { memberOf, nameOf } from './normal-fields.ts'
import { isObject } from './parse-embedded-json.ts'

/** A manifest with thumbnails has up to a few hundred kilobytes. */
const MAX_MANIFEST_BYTES = 4 * 1024 * 1024
const MAX_PARTS = 500
const MAX_DEPTH = 8
const MAX_CLAIM_BYTES = 256 * 1024
const MAX_NAMES = 20

/** Tags of dates, addresses and UUIDs, which are read as their plain values. */
const plainTags = Object.fromEntries(
  [0, 1, 32, 37].map((tag) => [tag, (decodeValue: () => unknown) => decodeValue()]),
)

interface Part {
  at: number
  bytes: number
}

const read = async (file: FileHandle, at: number, bytes: number): Promise<Buffer> => {
  const buffer = Buffer.alloc(bytes)
  const { bytesRead } = await file.read(buffer, 0, bytes, at)
  return buffer.subarray(0, bytesRead)
}

/** Finds the chunk `caBX`, which precedes the pixels. */
const pngParts = async (file: FileHandle): Promise<Part[]> => {
  let at = 8
  for (let chunk = 0; chunk < MAX_PARTS; chunk++) {
    const head = await read(file, at, 8)
    const type = head.toString('latin1', 4, 8)
    if (head.length < 8 || type === 'IDAT' || type === 'IEND') return []
    const bytes = head.readUInt32BE()
    if (type === 'caBX') return [{ at: at + 8, bytes }]
    at += bytes + 12
  }
  return []
}

/** Finds the chunk `C2PA`. */
const webpParts = async (file: FileHandle): Promise<Part[]> => {
  let at = 12
  for (let chunk = 0; chunk < MAX_PARTS; chunk++) {
    const head = await read(file, at, 8)
    if (head.length < 8) return []
    const bytes = head.readUInt32LE(4)
    if (head.toString('latin1', 0, 4) === 'C2PA') return [{ at: at + 8, bytes }]
    at += 8 + bytes + (bytes % 2)
  }
  return []
}

/** Size of a box header, which each segment after the first repeats. */
const BOX_BYTES = 8
/** `JP`, a box number and a sequence number before the box. */
const JP_BYTES = 8

/** Finds segments of the type APP11, into which a JPEG splits a manifest. */
const jpegParts = async (file: FileHandle): Promise<Part[]> => {
  const parts: Part[] = []
  let at = 2
  for (let segment = 0; segment < MAX_PARTS; segment++) {
    const head = await read(file, at, 12)
    const marker = head.length < 12 ? 0 : head.readUInt16BE()
    if (marker < 0xffc0 || marker === 0xffda || marker === 0xffd9) break
    const bytes = head.readUInt16BE(2)
    if (marker === 0xffeb && head.toString('latin1', 4, 6) === 'JP') {
      const skipped = JP_BYTES + (head.readUInt32BE(8) > 1 ? BOX_BYTES : 0)
      parts.push({ at: at + 4 + skipped, bytes: bytes - 2 - skipped })
    }
    at += 2 + bytes
  }
  return parts
}

const finders: Partial<Record<ImageMediaType, (file: FileHandle) => Promise<Part[]>>> = {
  'image/png': pngParts,
  'image/webp': webpParts,
  'image/jpeg': jpegParts,
}

const manifestIn = async (path: string, mediaType: ImageMediaType): Promise<Buffer | null> => {
  const find = finders[mediaType]
  if (find === undefined) return null
  await using file = await open(path, 'r')
  const parts = (await find(file)).filter(({ bytes }) => bytes > 0)
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total === 0 || total > MAX_MANIFEST_BYTES) return null
  return Buffer.concat(await Promise.all(parts.map(({ at, bytes }) => read(file, at, bytes))))
}

interface Box {
  type: string
  content: Buffer
}

/** Splits a JUMBF container into boxes: a size, a type of four letters, and the content. */
const boxesIn = (bytes: Buffer): Box[] => {
  const boxes: Box[] = []
  for (let at = 0; at + BOX_BYTES <= bytes.length && boxes.length < MAX_PARTS; ) {
    const size = bytes.readUInt32BE(at)
    // 0: up to the end. 1: a size of 64 bits, which no manifest needs.
    const end = size === 0 ? bytes.length : at + size
    if (size === 1 || end < at + BOX_BYTES || end > bytes.length) break
    const type = bytes.toString('latin1', at + 4, at + BOX_BYTES)
    boxes.push({ type, content: bytes.subarray(at + BOX_BYTES, end) })
    at = end
  }
  return boxes
}

/** Returns the label of a superbox, after its UUID of 16 bytes and a byte of flags. */
const labelOf = (description: Buffer): string =>
  description.toString('utf8', 17, Math.min(description.length, 200)).split('\0')[0] ?? ''

const decodeClaim = (bytes: Buffer): unknown => {
  try {
    return bytes.length > MAX_CLAIM_BYTES ? null : decode(bytes, { tags: plainTags })
  } catch {
    return null
  }
}

/** Yields the claims and actions of all manifests, each with its label. */
function* claimsIn(bytes: Buffer, depth = 0): Generator<{ label: string; value: unknown }> {
  for (const { type, content } of boxesIn(bytes)) {
    if (type !== 'jumb' || depth > MAX_DEPTH) continue
    const [description, ...inner] = boxesIn(content)
    if (description?.type !== 'jumd') continue
    const label = labelOf(description.content)
    if (/^c2pa\.(?:claim|actions)/.test(label)) {
      for (const box of inner)
        if (box.type === 'cbor') yield { label, value: decodeClaim(box.content) }
    } else {
      yield* claimsIn(content.subarray(description.content.length + BOX_BYTES), depth + 1)
    }
  }
}

/** Returns `name version` of a program, written as text or as an object. */
const programOf = (program: unknown): string[] => {
  if (typeof program === 'string') return [program].flatMap((text) => nameOf(text) ?? [])
  const [name, version] = [nameOf(memberOf(program, 'name')), nameOf(memberOf(program, 'version'))]
  return name === null ? [] : [version === null ? name : `${name} ${version}`]
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)].slice(0, MAX_NAMES)

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/** The statements of a C2PA manifest about the origin of a file. Signatures are not verified. */
export interface Claims extends Record<string, unknown> {
  /** Programs that wrote the manifests, the newest manifest first. */
  generators: string[]
  /** Programs that made or changed the pixels. */
  agents: string[]
  /** `digitalSourceType` of the actions. */
  source_types: string[]
}

/** Reads the boxes of a manifest. null: it has no claims. */
export const claimsOf = (manifest: Buffer): Claims | null => {
  // Earlier manifests are those of ingredients; the last one is that of the file.
  const found = [...claimsIn(manifest)].reverse()
  const claims = found.filter(({ label }) => label.startsWith('c2pa.claim'))
  const actions = found
    .filter(({ label }) => label.startsWith('c2pa.actions'))
    .flatMap(({ value }) => list(memberOf(value, 'actions')).filter(isObject).slice(0, MAX_PARTS))
  if (claims.length === 0 && actions.length === 0) return null
  const generators = claims.flatMap(({ value }) => {
    const named = list(memberOf(value, 'claim_generator_info')).flatMap(programOf)
    return named.length > 0 ? named : programOf(memberOf(value, 'claim_generator'))
  })
  return {
    generators: distinct(generators),
    agents: distinct(actions.flatMap(({ softwareAgent }) => programOf(softwareAgent))),
    source_types: distinct(
      actions.flatMap(({ digitalSourceType }) => nameOf(digitalSourceType) ?? []),
    ),
  }
}

/** Reads only the manifest of a PNG, JPEG or WebP. null: the file has none. */
export const readC2pa = async (path: string, mediaType: ImageMediaType): Promise<Claims | null> => {
  const manifest = await manifestIn(path, mediaType)
  return manifest === null ? null : claimsOf(manifest)
}
