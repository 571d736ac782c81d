import { UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import { generators, type ImageGenerator } from '#contract/generators.ts'
import { MAX_PATTERN_LENGTH } from '#contract/limits.ts'
import { extensionsOf, type MediaType } from '#contract/media-types.ts'
import { safeFileName, sameNameKey, splitName } from './safe-file-name.ts'

/** The properties of an image that file names can contain. null: the image does not have the property. */
export interface NamedItem {
  image_name: string
  file_name: string | null
  media_type: MediaType
  /** null: on no board. */
  board_name: string | null
  /** The date that the page shows, in milliseconds since 1970. */
  dated_at: number
  width: number
  height: number
  /** 1 to 5. 0: not rated. */
  rating: number
  generator: ImageGenerator | null
  model: string | null
  sampler: string | null
  /** Decimal digits. */
  seed: string | null
  steps: number | null
  cfg: number | null
}

interface NamingContext {
  /** Position among the named images, from 1. */
  index: number
  count: number
  /** Returns the local date and time of a moment. */
  clock: (at: number) => LocalTime
}

interface LocalTime {
  date: string
  time: string
}

/** Splits the name of a file from its extension. An extension of another format belongs to the name. */
const splitFileName = ({ file_name, image_name, media_type }: NameParts) => {
  const name = file_name ?? image_name
  const { stem, extension } = splitName(name)
  const extensions = extensionsOf(media_type)
  const isTrue = extensions.includes(extension.slice(1).toLowerCase())
  return isTrue ? { stem, extension: extension.slice(1) } : { stem: name, extension: extensions[0] }
}

type NameParts = Pick<NamedItem, 'file_name' | 'image_name' | 'media_type'>

/** Returns the extension of an unchanged file, without a dot: as uploaded if that is one of its format. */
export const extensionOfItem = (item: NameParts): string => splitFileName(item).extension ?? ''

/** The fields of a name pattern, and what each inserts, for users. */
export const nameFields = {
  name: 'the file name',
  board: 'the board',
  index: 'a number: 1, 2, 3',
  date: 'the date: 2026-05-31',
  time: 'the time: 18-30-05',
  year: 'the year: 2026',
  month: 'the month: 05',
  day: 'the day: 31',
  generator: 'the program that made it',
  model: 'the model',
  seed: 'the seed',
  steps: 'the steps',
  cfg: 'the CFG scale',
  sampler: 'the sampler',
  width: 'the width in pixels',
  height: 'the height in pixels',
  rating: 'the rating: 0 to 5',
  id: 'the permanent name in Tessera',
} as const

export type NameFieldId = keyof typeof nameFields

export const nameFieldIds = Object.keys(nameFields) as NameFieldId[]

const orNone = (what: string, value: string | number | null): string =>
  String(value ?? `no ${what}`)

type DatePart = 0 | 1 | 2

const datePart =
  (part: DatePart) =>
  ({ dated_at }: NamedItem, { clock }: NamingContext): string =>
    clock(dated_at).date.split('-')[part] ?? ''

/** Values that an image does not have become a text such as `no model`. */
const valueTexts: Record<NameFieldId, (item: NamedItem, context: NamingContext) => string> = {
  name: (item) => splitFileName(item).stem,
  board: ({ board_name }) => board_name ?? UNCATEGORIZED_BOARD_NAME,
  index: (_, { index, count }) => String(index).padStart(String(count).length, '0'),
  date: ({ dated_at }, { clock }) => clock(dated_at).date,
  time: ({ dated_at }, { clock }) => clock(dated_at).time,
  ...{ year: datePart(0), month: datePart(1), day: datePart(2) },
  generator: ({ generator }) => orNone('generator', generator && generators[generator].name),
  model: ({ model }) => orNone('model', model),
  seed: ({ seed }) => orNone('seed', seed),
  steps: ({ steps }) => orNone('steps', steps),
  cfg: ({ cfg }) => orNone('cfg', cfg),
  sampler: ({ sampler }) => orNone('sampler', sampler),
  width: ({ width }) => String(width),
  height: ({ height }) => String(height),
  rating: ({ rating }) => String(rating),
  id: ({ image_name }) => splitName(image_name).stem,
}

/** The pattern that keeps the names of the files. */
export const PLAIN_NAMES = '{name}'

/** Maximum number of folders that a name is in. */
const MAX_FOLDERS = 10

type PatternPart = string | { readonly field: NameFieldId }

/** A checked pattern: the folders and, last, the file name, each as texts and fields. */
export type NamePattern = readonly (readonly PatternPart[])[]

/** A mistake in a pattern and its place. The message is for users. */
export interface PatternFault {
  readonly at: number
  readonly length: number
  readonly message: string
}

export type ParsedPattern =
  | { readonly pattern: NamePattern; readonly fault: null }
  | { readonly pattern: null; readonly fault: PatternFault }

const isField = (word: string): word is NameFieldId => Object.hasOwn(nameFields, word)

/** Returns a mistake as text for a command line, with the fields that exist. */
export const patternFaultText = ({ message }: PatternFault): string =>
  `${message} Fields: ${nameFieldIds.map((field) => `{${field}}`).join(' ')}`

/**
 * Reads a pattern for file names, such as `{board}/{date}_{name}`. `/` separates folders. File names get the extension
 * of their format.
 */
export const parseNamePattern = (text: string): ParsedPattern => {
  const folders: PatternPart[][] = [[]]
  const fail = (at: number, length: number, message: string): ParsedPattern => ({
    pattern: null,
    fault: { at, length, message },
  })
  if (text.trim() === '') return fail(0, text.length, 'Enter a pattern, such as {name}.')
  if (text.length > MAX_PATTERN_LENGTH) {
    const length = text.length - MAX_PATTERN_LENGTH
    return fail(MAX_PATTERN_LENGTH, length, `At most ${MAX_PATTERN_LENGTH} characters fit.`)
  }
  for (const { 0: token, index: at } of text.matchAll(/\{[^{}/]*\}?|[/}]|[^{}/]+/g)) {
    const current = folders.at(-1)
    if (token === '}') return fail(at, 1, 'A “{” is missing before this “}”.')
    if (token === '/') {
      if (current?.length === 0) return fail(at, 1, 'A folder name is missing before this “/”.')
      if (folders.length > MAX_FOLDERS) return fail(at, 1, `At most ${MAX_FOLDERS} folders fit.`)
      folders.push([])
    } else if (token.startsWith('{')) {
      if (!token.endsWith('}')) return fail(at, token.length, 'A “}” is missing.')
      const field = token.slice(1, -1).trim().toLowerCase()
      if (!isField(field)) return fail(at, token.length, `There is no field “${token}”.`)
      current?.push({ field })
    } else current?.push(token)
  }
  if (folders.at(-1)?.length === 0) {
    return fail(text.length - 1, 1, 'A file name is missing after the last “/”.')
  }
  return { pattern: folders, fault: null }
}

/**
 * Returns the safe path of an image, without making it unique. Board groups (`Clients/Acme`) become folders where
 * `{board}` is the whole name of a folder.
 *
 * @param extension - Of the file, without a dot. A name that ends in it keeps it.
 */
const pathOfItem = (
  pattern: NamePattern,
  item: NamedItem,
  context: NamingContext,
  extension: string,
): string[] => {
  const textOf = (part: PatternPart) =>
    typeof part === 'string' ? part : valueTexts[part.field](item, context)
  const last = pattern.length - 1
  const folders = pattern.slice(0, last).flatMap((parts) => {
    const text = parts.map(textOf).join('')
    const [only] = parts
    const isBoard = parts.length === 1 && typeof only === 'object' && only.field === 'board'
    return isBoard ? groupsOf(text) : [text]
  })
  const name = (pattern[last] ?? []).map(textOf).join('')
  const isComplete = name.toLowerCase().endsWith(`.${extension.toLowerCase()}`)
  const fileName = isComplete ? name.slice(0, -extension.length - 1) : name
  return [
    ...folders.map((folder) => safeFileName(folder.trim(), 'folder')),
    safeFileName(`${fileName.trim() || 'image'}.${extension}`),
  ]
}

/** Splits a board name into its groups. Those that are too deep stay together. */
const groupsOf = (boardName: string): string[] => {
  const groups = boardName.split('/').filter((part) => part.trim() !== '')
  if (groups.length === 0) return ['Board']
  const deep = groups.slice(MAX_FOLDERS - 1)
  return [...groups.slice(0, MAX_FOLDERS - 1), ...(deep.length > 0 ? [deep.join('/')] : [])]
}

const localClock = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  })
  return (at: number): LocalTime => {
    const parts = Object.fromEntries(
      format.formatToParts(at).map(({ type, value }) => [type, value]),
    )
    const { year = '', month, day, hour, minute, second } = parts
    return {
      date: `${year.padStart(4, '0')}-${month}-${day}`,
      time: `${hour}-${minute}-${second}`,
    }
  }
}

/** Names files by a pattern, one after the other. Names are unique on all file systems: the second equal one gets `(2)`. */
export class FileNamer {
  readonly #pattern: NamePattern
  readonly #context: Omit<NamingContext, 'index'>
  readonly #files = new Set<string>()
  readonly #folders = new Set<string>()
  readonly #nextNumbers = new Map<string, number>()
  #index = 0

  /** @param options - `count`: number of files. `timeZone`: a valid IANA name. */
  constructor(pattern: NamePattern, { count, timeZone }: { count: number; timeZone: string }) {
    this.#pattern = pattern
    this.#context = { count, clock: localClock(timeZone) }
  }

  /**
   * Returns the safe path of the next file, which may not be unique: its folders and, last, its name.
   *
   * @param extension - Of the file, without a dot.
   */
  nextPath(item: NamedItem, extension: string): string[] {
    this.#index += 1
    const context = { ...this.#context, index: this.#index }
    return pathOfItem(this.#pattern, item, context, extension)
  }

  /** Returns the unique path of the next file, with `/` between folders. */
  next(item: NamedItem, extension: string): string {
    const path = this.nextPath(item, extension)
    let folder = ''
    for (const name of path.slice(0, -1)) folder = this.#folderIn(folder, name)
    const unique = this.#uniqueFile(folder, path.at(-1) ?? '')
    this.#files.add(sameNameKey(unique))
    return unique
  }

  /** Returns a folder inside another one. Its number is always the same: no file gets the name of a folder. */
  #folderIn(parent: string, name: string): string {
    let folder = join(parent, name)
    for (let number = 2; this.#files.has(sameNameKey(folder)); number++) {
      folder = join(parent, `${name} (${number})`)
    }
    this.#folders.add(sameNameKey(folder))
    return folder
  }

  #uniqueFile(folder: string, name: string): string {
    const wanted = join(folder, name)
    const { stem, extension } = splitName(name)
    let path = wanted
    for (let number = this.#nextNumbers.get(wanted) ?? 2; this.#isTaken(path); number++) {
      path = join(folder, `${stem} (${number})${extension}`)
      this.#nextNumbers.set(wanted, number + 1)
    }
    return path
  }

  #isTaken(path: string): boolean {
    const key = sameNameKey(path)
    return this.#files.has(key) || this.#folders.has(key)
  }
}

const join = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)
