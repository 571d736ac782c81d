import type { Expression } from '#server/storage/sql/search/parse-query.ts'

/** Writes an expression for FTS5. It is always well-formed, because all user text is quoted. */
export const fts5Of = (expression: Expression): string => {
  if ('and' in expression) return `(${expression.and.map(fts5Of).join(' AND ')})`
  if ('or' in expression) return `(${expression.or.map(fts5Of).join(' OR ')})`
  if ('in' in expression) return `(${expression.in} : (${fts5Of(expression.of)}))`
  return `"${expression.tokens.join(' ')}"${expression.isPrefix ? '*' : ''}`
}
