import { cleanText } from './normal-fields.ts'
import { isJson, parseEmbeddedJson } from './parse-embedded-json.ts'
import { type ExifBlock, readExif } from './read-exif.ts'
import { readXmp } from './read-xmp.ts'
import { type A1111Text, parseA1111 } from './readers/parse-a1111.ts'

/** Limit of stored characters per file. Longer texts remain only in the file. */
const MAX_RAW_CHARACTERS = 4 * 1024 * 1024

/** The texts of the files beside an image, by file name. */
export type Sidecars = Readonly<Record<string, string>>

/** Metadata that a decoder found in a file. */
export interface EmbeddedSource {
  comments: readonly { keyword: string; text: string }[]
  exif: Buffer | null
  xmp?: Buffer | null
  /** A text that is hidden in the pixels (`stealth`). */
  hidden?: string | null
  /** The claims of a C2PA manifest. */
  claims?: Record<string, unknown> | null
  /** Texts of files beside an imported file, by name. They count if the file itself names no generator. */
  sidecars?: Sidecars
  /** The text of the upload's `metadata` part; an object replaces the embedded InvokeAI metadata. */
  given: string | null
}

/** An object and its JSON text with all digits, as the API serves it. */
interface WrittenObject {
  value: Record<string, unknown>
  text: string
}

/** The contents of a file, as the readers of the generators get them. */
export interface FoundMetadata {
  /** Texts by the name under which they are embedded. If a name occurs several times, the first one wins. */
  texts: ReadonlyMap<string, string>
  /** Texts in which generators write all their values as one block, the most usual place first. */
  blocks: readonly string[]
  exif: ExifBlock | null
  /** Properties by their usual name, such as `dc:description`. */
  xmp: ReadonlyMap<string, string>
  /** The programs that the file names. */
  software: string
  hidden: string | null
  claims: Record<string, unknown> | null
  /** The object that InvokeAI embeds, or the one that the upload gave instead. */
  invokeai: WrittenObject | null
  /** The upload's object, if it differs from the embedded one. */
  given: WrittenObject | null
  /** The first block with the form of A1111's `parameters`, which many programs use. */
  a1111: A1111Text | null
  /** Parses a text as a JSON object with all digits, each text once. null: it is no object. */
  json(text: string | null | undefined): Record<string, unknown> | null
}

const objectIn = (written: string | null | undefined): WrittenObject | null => {
  if (written === null || written === undefined) return null
  const value = parseEmbeddedJson(written, { keepsDigits: true })
  if (value === null) return null
  // Python's `NaN` is invalid JSON and would break clients.
  return { value, text: isJson(written) ? written : JSON.stringify(value) }
}

/** NovelAI hides all of its text chunks as one object, A1111 only its `parameters`. */
const hiddenTexts = (hidden: string | null): [string, string][] => {
  if (hidden === null) return []
  const texts = Object.entries(parseEmbeddedJson(hidden) ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return texts.length > 0 ? texts : [['hidden', hidden]]
}

const textsOf = (
  source: EmbeddedSource,
  exif: ExifBlock | null,
  xmp: ReadonlyMap<string, string>,
): Map<string, string> => {
  const texts = new Map<string, string>()
  let left = MAX_RAW_CHARACTERS
  const add = (name: string, text: string) => {
    if (texts.has(name) || text.length > left || text.trim() === '') return
    left -= text.length
    texts.set(name, cleanText(text))
  }
  for (const { keyword, text } of source.comments) add(cleanText(keyword), text)
  for (const [name, text] of Object.entries(exif?.tagged ?? {})) add(name, text)
  for (const name of ['prompt', 'workflow']) add(name, xmp.get(`comfy:${name}`) ?? '')
  const comment = exif?.userComment ?? ''
  add(parseA1111(comment) === null ? 'user_comment' : 'parameters', comment)
  for (const [name, text] of hiddenTexts(source.hidden ?? null)) add(name, text)
  // Short tags are in `raw.exif`.
  for (const [tag, text] of Object.entries(exif?.texts ?? {}))
    if (text.length > 2000) add(tag, text)
  return texts
}

/** Returns the first result that is not null. */
export const firstOf = <T, R>(values: readonly T[], read: (value: T) => R | null): R | null => {
  for (const value of values) {
    const result = read(value)
    if (result !== null) return result
  }
  return null
}

/** Texts of PNG, JPEG and GIF with blocks, the most usual first. */
const BLOCK_NAMES = [
  'parameters',
  'user_comment',
  'comment',
  'Comment',
  'Description',
  'UserComment',
]
const BLOCK_TAGS = ['ImageDescription', 'XPComment', 'Model', 'Make']
const BLOCK_PROPERTIES = ['exif:UserComment', 'dc:description', 'tiff:ImageDescription']

const isText = (text: string | null | undefined): text is string => Boolean(text)

export const openFoundMetadata = (source: EmbeddedSource): FoundMetadata => {
  const exif = source.exif === null ? null : readExif(source.exif)
  const xmp = readXmp(source.xmp)
  const texts = textsOf(source, exif, xmp)
  const hidden = source.hidden ?? null
  const embedded = objectIn(texts.get('invokeai_metadata'))
  const provided = objectIn(source.given)
  // Drops a given text that equals the embedded one, so that a re-imported export has the same metadata as before.
  const given = provided?.text === embedded?.text ? null : provided
  const blocks = [
    ...BLOCK_NAMES.map((name) => texts.get(name)),
    ...BLOCK_TAGS.map((tag) => exif?.texts[tag]),
    ...BLOCK_PROPERTIES.map((name) => xmp.get(name)),
    hidden,
  ].filter(isText)
  const programs = [texts.get('Software'), exif?.texts.Software, xmp.get('xmp:CreatorTool')]
  const parsed = new Map<string, Record<string, unknown> | null>()
  return {
    texts,
    blocks,
    a1111: firstOf(blocks, parseA1111),
    exif,
    xmp,
    software: programs.filter(isText).join(', '),
    hidden,
    claims: source.claims ?? null,
    invokeai: given ?? embedded,
    given,
    json: (text) => {
      if (text === null || text === undefined) return null
      const known = parsed.get(text)
      if (known !== undefined) return known
      const value = parseEmbeddedJson(text, { keepsDigits: true })
      parsed.set(text, value)
      return value
    },
  }
}
