import { sql } from 'kysely'
import { colorIn, likeValueIn } from '#contract/likeness/like-terms.ts'
import {
  colorDistances,
  fieldOf,
  mirroredDistance,
  ORIENTATIONS,
  transposedHash,
  writeDistances,
} from '#server/core/likeness/fingerprint.ts'
import type { Column, ColumnName } from '#server/storage/sql/properties/columns.ts'
import { tokensOf } from '#server/storage/sql/search/parse-query.ts'
import type { LikeTerm } from '#server/storage/sql/search/ranking-term.ts'
import type { SearchSource as WholeSource } from '#server/storage/sql/search/search-source.ts'
import { searchTextOf, storedMetadata } from '#server/storage/sql/search/search-text-of.ts'

type SearchSource = Omit<WholeSource, 'like'>

/** Adds conditions on likeness. A search needs the images of each twice: to find them, and to sort by them. */
export const withLikeness = (source: SearchSource): WholeSource => {
  const known = new Map<string, Promise<Uint32Array>>()
  const like = (term: LikeTerm) => {
    const key = `${term.key} ${term.text}`
    const images = known.get(key) ?? likeImages(source, term)
    known.set(key, images)
    return images
  }
  return { ...source, like }
}

/** Returns the ids of the images that are like one, or that have a color, the best first. */
const likeImages = async (source: SearchSource, term: LikeTerm): Promise<Uint32Array> => {
  if (term.key === 'color') {
    const color = colorIn(term.text)
    return color === null ? new Uint32Array() : withColor(source, color)
  }
  const value = likeValueIn(term.text)
  const id = value && (await idOf(source, value.imageName))
  if (value === null || id === null) return new Uint32Array()
  switch (value.by) {
    case 'picture':
      return likePicture(source, id)
    case 'prompt':
      return likePrompt(source, id)
    case 'parameters':
      return likeParameters(source, id)
  }
}

const idOf = async ({ db }: SearchSource, imageName: string): Promise<number | null> => {
  const query = db.selectFrom('images').select('id').where('image_name', '=', imageName)
  return (await query.executeTakeFirst())?.id ?? null
}

/** Ids are below this number. */
const ID_RANGE = 2 ** 32

/**
 * Returns the ids with the best scores first, and of equal ones the newest.
 *
 * @param scores - Whole numbers by id. The smallest is the best. Larger ones than `most` are left out.
 */
const rank = (scores: Uint16Array, most: number): Uint32Array => {
  let count = 0
  for (let id = 0; id < scores.length; id += 1) if ((scores[id] ?? 0) <= most) count += 1
  const keys = new Float64Array(count)
  let at = 0
  // Numbers are sorted ten times as fast as ids with a comparison.
  for (let id = 0; id < scores.length; id += 1) {
    const score = scores[id] ?? 0
    if (score <= most) keys[at++] = score * ID_RANGE + (ID_RANGE - 1 - id)
  }
  return Uint32Array.from(keys.sort(), (key) => ID_RANGE - 1 - (key % ID_RANGE))
}

const UNLIKE = 0xffff

const hashColumns = ['hash_high', 'hash_low'] as const
const colorColumns = ['colors_top', 'colors_middle', 'colors_bottom'] as const

const columnsOf = async (
  { column }: SearchSource,
  names: readonly ColumnName[],
): Promise<Column[]> => {
  const columns: Column[] = []
  for (const name of names) columns.push(await column(name))
  return columns
}

/** Returns the same bits as signed numbers, with which the processor counts faster. */
const signedWords = (column: Column): Int32Array =>
  column instanceof Uint32Array
    ? new Int32Array(column.buffer, column.byteOffset, column.length)
    : Int32Array.from(column)

/** Hashes of unrelated pictures differ in some 25 bits, in the orientation in which they differ least. */
const MAX_LIKE_DISTANCE = 22

/** The score of a picture is twice the distance of its hash, and the distance of its colors, plus 1. */
const MAX_PICTURE_SCORE = 64

const likePicture = async (source: SearchSource, id: number): Promise<Uint32Array> => {
  const columns = await columnsOf(source, [...hashColumns, ...colorColumns])
  const [highs = new Int32Array(), lows = new Int32Array(), ...rows] = columns.map(signedWords)
  if ((highs[id] ?? 0) === 0) return Uint32Array.of(id)
  const wanted = columns.map((column) => (column[id] ?? 1) - 1)
  const [high = 0, low = 0] = wanted.map((word) => word | 0)
  const [turnedHigh = 0, turnedLow = 0] = transposedHash(high, low).map((word) => word | 0)
  const colors = Array.from({ length: ORIENTATIONS }, (_, orientation) =>
    colorDistances(wanted, orientation),
  )
  const scores = new Uint16Array(highs.length).fill(UNLIKE)
  const hashes = new Uint8Array(ORIENTATIONS)
  const fields = new Uint32Array(rows.length)
  for (let other = 0; other < highs.length; other += 1) {
    if (highs[other] === 0) continue
    const otherHigh = ((highs[other] ?? 1) - 1) | 0
    const otherLow = ((lows[other] ?? 1) - 1) | 0
    const upright = mirroredDistance(high, low, otherHigh, otherLow)
    const turned = mirroredDistance(turnedHigh, turnedLow, otherHigh, otherLow)
    if (Math.min(upright, turned) > MAX_LIKE_DISTANCE) continue
    writeDistances(high ^ otherHigh, low ^ otherLow, hashes, 0)
    writeDistances(turnedHigh ^ otherHigh, turnedLow ^ otherLow, hashes, ORIENTATIONS / 2)
    for (let row = 0; row < rows.length; row += 1) fields[row] = (rows[row]?.[other] ?? 1) - 1
    for (let orientation = 0; orientation < ORIENTATIONS; orientation += 1) {
      const hash = hashes[orientation] ?? 0
      if (hash > MAX_LIKE_DISTANCE) continue
      const most = Math.min(MAX_PICTURE_SCORE, (scores[other] ?? 0) - 1)
      const score = addColors(1 + 2 * hash, colors[orientation] ?? [], fields, most)
      if (score <= most) scores[other] = score
    }
  }
  scores[id] = 0
  return rank(scores, MAX_PICTURE_SCORE)
}

/** Adds the values of the nine fields of a picture, until the score is above `most`. */
const addColors = (
  score: number,
  values: readonly Uint8Array[],
  rows: Uint32Array,
  most: number,
): number => {
  let sum = score
  for (let row = 0; row < 3 && sum <= most; row += 1)
    for (let column = 0; column < 3; column += 1)
      sum += values[3 * row + column]?.[fieldOf(rows[row] ?? 0, column)] ?? 0
  return sum
}

/** Blueness and redness in the middle of each level. */
const CHROMA = [-56, -24, -9, 0, 9, 24, 56]

/** At this distance from the picked color, a field does not count. */
const FAR = 70

/** A field of exactly the picked color counts this much. */
const SAME = 100

/** An image needs as much of a color as this part of a field. */
const MIN_COLOR = 60

const withColor = async (
  source: SearchSource,
  [red, green, blue]: readonly [number, number, number],
): Promise<Uint32Array> => {
  const y = 0.299 * red + 0.587 * green + 0.114 * blue
  const within = (chroma: number) => Math.max(-56, Math.min(56, chroma))
  const [wantedBlue, wantedRed] = [within(0.564 * (blue - y)), within(0.713 * (red - y))]
  const closeness = Uint8Array.from({ length: 1024 }, (_, field) => {
    const brightness = 0.6 * ((field >>> 6) * 16 + 8 - y)
    const blueness = (CHROMA[(field >>> 3) & 7] ?? 0) - wantedBlue
    const redness = (CHROMA[field & 7] ?? 0) - wantedRed
    return Math.max(0, SAME * (1 - Math.hypot(brightness, blueness, redness) / FAR))
  })
  const rows = await columnsOf(source, colorColumns)
  const [first = new Uint32Array()] = rows
  const scores = new Uint16Array(first.length).fill(UNLIKE)
  for (let id = 0; id < first.length; id += 1) {
    if (first[id] === 0) continue
    let color = 0
    for (const row of rows) {
      const fields = (row[id] ?? 1) - 1
      color += closeness[fields >>> 20] ?? 0
      color += closeness[(fields >>> 10) & 1023] ?? 0
      color += closeness[fields & 1023] ?? 0
    }
    if (color >= MIN_COLOR) scores[id] = 9 * SAME - color
  }
  return rank(scores, UNLIKE - 1)
}

/** Further words of a prompt are left out, because each is searched. */
const MAX_PROMPT_WORDS = 32

/** An image needs this part of the weight of all words. */
const MIN_WORDS = 0.4

/** A word that only one image has would count for all others together. Frequent words say nothing. */
const MAX_WORD_PART = 0.5

const likePrompt = async (source: SearchSource, id: number): Promise<Uint32Array> => {
  const [image] = await storedMetadata(source.db, [id])
  const prompt = image === undefined ? '' : searchTextOf(image).prompt
  const words = new Set(tokensOf(prompt.toLowerCase()))
  const { rows } = await sql<{ n: number }>`
    SELECT coalesce(sum(n), 0) AS n FROM image_counts`.execute(source.db)
  const images = Number(rows[0]?.n ?? 0)
  let sums = new Float32Array(id + 1)
  let total = 0
  for (const word of [...words].slice(0, MAX_PROMPT_WORDS)) {
    const set = await source.texts({ in: 'prompt', of: { tokens: [word], isPrefix: false } })
    if (set.size < 2 || (set.size > images * MAX_WORD_PART && words.size > 3)) continue
    const weight = Math.log(1 + images / set.size)
    total += weight
    const ids = set.ids()
    sums = grown(sums, (ids.at(-1) ?? 0) + 1)
    for (const other of ids) sums[other] = (sums[other] ?? 0) + weight
  }
  return rankShares(sums, total, MIN_WORDS, id)
}

/** Ranks images by their part of a total. The image that others are compared with is the first. */
const rankShares = (sums: Float32Array, total: number, least: number, id: number): Uint32Array => {
  const scores = new Uint16Array(Math.max(sums.length, id + 1)).fill(UNLIKE)
  for (let other = 0; other < sums.length; other += 1) {
    const share = total === 0 ? 0 : (sums[other] ?? 0) / total
    if (share >= least) scores[other] = 1 + Math.round(1000 * Math.max(0, 1 - share))
  }
  scores[id] = 0
  return rank(scores, UNLIKE - 1)
}

/** An image needs this part of the weight of all parameters. */
const MIN_PARAMETERS = 0.6

const LORA_WEIGHT = 2

/** How much equal parameters count, and how much they may differ, as part of the value. */
const parameters: readonly (readonly [ColumnName, weight: number, difference: number])[] = [
  ['model', 3, 0],
  ['sampler', 1, 0],
  ['scheduler', 0.5, 0],
  ['generator', 0.5, 0],
  ['steps', 0.5, 0.1],
  ['cfg', 0.5, 0.1],
  ['width', 0.5, 0],
  ['height', 0.5, 0],
]

const likeParameters = async (source: SearchSource, id: number): Promise<Uint32Array> => {
  let sums = new Float32Array(id + 1)
  let total = 0
  let isDescribed = false
  for (const [name, weight, difference] of parameters) {
    const column = await source.column(name)
    const wanted = column[id] ?? 0
    if (wanted === 0) continue
    if (name !== 'width' && name !== 'height') isDescribed = true
    sums = grown(sums, column.length)
    total += weight
    const margin = (wanted - 1) * difference
    for (let other = 0; other < column.length; other += 1) {
      const value = column[other] ?? 0
      if (value > 0 && Math.abs(value - wanted) <= margin) sums[other] = (sums[other] ?? 0) + weight
    }
  }
  const { rows: loras } = await sql<{ lora: number }>`
    SELECT lora FROM image_loras WHERE image = ${id}`.execute(source.db)
  for (const { lora } of loras) {
    isDescribed = true
    total += LORA_WEIGHT
    const set = await source.matches(
      `lora ${lora}`,
      (restrict) => sql`
      SELECT image AS id FROM image_loras WHERE lora = ${lora} AND ${restrict('image')}`,
    )
    const ids = set.ids()
    sums = grown(sums, (ids.at(-1) ?? 0) + 1)
    for (const other of ids) sums[other] = (sums[other] ?? 0) + LORA_WEIGHT
  }
  return rankShares(sums, isDescribed ? total : 0, MIN_PARAMETERS, id)
}

const grown = (sums: Float32Array<ArrayBuffer>, length: number): Float32Array<ArrayBuffer> => {
  if (sums.length >= length) return sums
  const larger = new Float32Array(length)
  larger.set(sums)
  return larger
}
