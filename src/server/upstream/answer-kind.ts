/** What is done with an answer, by what it says it is. */
export type AnswerKind = 'text' | 'bytes' | 'drawing' | 'page' | 'strange'

const texts: ReadonlySet<string> = new Set([
  'application/json',
  'text/plain',
  'application/x-ndjson',
])
const bytes: ReadonlySet<string> = new Set(['application/zip', 'application/octet-stream', ''])
const pages: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml'])

/**
 * Tells an answer by its `Content-Type`: `text` is for programs, `bytes` for the eye or the disk, a `drawing`
 * (SVG) can hold scripts, a `page` is HTML, and whatever else there is (scripts, styles) is `strange`.
 */
export function answerKind(contentType = ''): AnswerKind {
  const [type = ''] = contentType.toLowerCase().split(';', 1)
  // `trim` alone would remove a no-break space too, which makes a type strange.
  const mediaType = /[^\t\x20-\x7e]/.test(type) ? type : type.trim()
  if (texts.has(mediaType)) return 'text'
  if (mediaType === 'image/svg+xml') return 'drawing'
  if (bytes.has(mediaType) || /^(?:image|video|audio)\/[\w.-]+$/.test(mediaType)) return 'bytes'
  return pages.has(mediaType) ? 'page' : 'strange'
}
