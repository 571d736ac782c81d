import type { NormalMetadata } from '#contract/metadata.ts'

/** Long enough to find an image by its prompt, short enough for a search box. */
const MAX_SEARCH_LENGTH = 120

/**
 * Returns the query that finds images with the same value.
 *
 * @param takesPhrases - True if the server supports "phrases". A server that searches for substrings would also search
 * for the quotes.
 */
export function queryFor(value: string, takesPhrases: boolean): string {
  const line = value.trim().split('\n')[0] ?? ''
  const short =
    line.length <= MAX_SEARCH_LENGTH
      ? line
      : line.slice(0, MAX_SEARCH_LENGTH).replace(/\S+$/, '').trim()
  const words = short.replaceAll('"', ' ').trim()
  return takesPhrases && /\W/.test(words) ? `"${words}"` : words
}

/**
 * Returns the query that finds images with a similar prompt and the same model; an empty text if the image has neither.
 * The subject of a prompt is the text before its first comma or full stop. Without phrases, a server searches for one
 * text only.
 */
export function similarQuery(metadata: NormalMetadata | null, takesPhrases: boolean): string {
  const subject = metadata?.prompt?.trim().split(/[,.;\n]/)[0] ?? ''
  const parts = [subject, metadata?.model ?? '']
    .map((value) => queryFor(value, takesPhrases))
    .filter((query) => query !== '')
  return takesPhrases ? parts.join(' ') : (parts[0] ?? '')
}
