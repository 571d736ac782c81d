/** Classes of upstream responses, by content type. */
export type AnswerKind = 'text' | 'bytes' | 'svg' | 'page' | 'unsupported'

const texts: ReadonlySet<string> = new Set([
  'application/json',
  'text/plain',
  'application/x-ndjson',
])
const bytes: ReadonlySet<string> = new Set(['application/zip', 'application/octet-stream', ''])
const pages: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml'])

/**
 * Classifies a response by its `Content-Type`: `text` is data for programs, `bytes` are media and downloads, `svg`
 * can contain scripts, `page` is HTML, and everything else (scripts, styles) is `unsupported`.
 */
export function answerKind(contentType = ''): AnswerKind {
  const [type = ''] = contentType.toLowerCase().split(';', 1)
  // `trim` also removes a no-break space. A type with one must stay unsupported.
  const mediaType = /[^\t\x20-\x7e]/.test(type) ? type : type.trim()
  if (texts.has(mediaType)) return 'text'
  if (mediaType === 'image/svg+xml') return 'svg'
  if (bytes.has(mediaType) || /^(?:image|video|audio)\/[\w.-]+$/.test(mediaType)) return 'bytes'
  return pages.has(mediaType) ? 'page' : 'unsupported'
}
