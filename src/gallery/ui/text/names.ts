import { formatTimestamp } from './timestamp.ts'

/** Matches right-to-left characters and characters that change the text direction. */
const CHANGES_DIRECTION =
  /[\p{Bidi_Control}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const BIDI_CONTROLS = /\p{Bidi_Control}/gu

const FIRST_STRONG_ISOLATE = '\u2068'
const POP_DIRECTIONAL_ISOLATE = '\u2069'

/**
 * Returns a name for use inside an English sentence. A right-to-left name would otherwise reorder the words and numbers
 * around it. Elements that contain only a name use `dir="auto"` instead.
 */
export const isolated = (name: string): string =>
  CHANGES_DIRECTION.test(name)
    ? `${FIRST_STRONG_ISOLATE}${name.replaceAll(BIDI_CONTROLS, '')}${POP_DIRECTIONAL_ISOLATE}`
    : name

/** The fields of a record from which names are derived. */
interface NamedRecord {
  readonly image_name: string
  readonly file_name: string | null
  readonly prompt_start: string | null
  readonly image_origin: 'internal' | 'external'
  readonly created_at: string
  readonly video?: object | null
}

/** Returns the name under which a file is saved and shown. */
export const fileNameOf = ({
  file_name,
  image_name,
}: Pick<NamedRecord, 'file_name' | 'image_name'>): string => file_name || image_name

/** Longer names are cut, because a screen reader reads the whole name first. */
const MAX_LABEL_LENGTH = 120

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:\.\w{1,8})?$/i

/** Returns the accessible name of an image: its prompt, else its file name, but never a UUID. */
export function imageLabelOf(image: NamedRecord): string {
  const prompt = inOneLine(image.prompt_start ?? '')
  if (prompt !== '') return prompt
  const fileName = inOneLine(image.file_name ?? '')
  if (fileName !== '' && !UUID.test(fileName)) return fileName
  const origin = image.image_origin === 'internal' ? 'Generated' : 'Uploaded'
  const noun = image.video ? 'video' : 'image'
  return `${origin} ${noun}, ${formatTimestamp(image.created_at)}`
}

function inOneLine(text: string): string {
  const start = Array.from(text.slice(0, 2 * MAX_LABEL_LENGTH)).slice(0, MAX_LABEL_LENGTH)
  return start
    .join('')
    .replaceAll(BIDI_CONTROLS, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
