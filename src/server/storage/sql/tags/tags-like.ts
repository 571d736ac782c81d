import { type RawBuilder, sql } from 'kysely'
import { nameTokens } from '#contract/search/names.ts'
import { signedText } from '#contract/search/tag-matcher.ts'

/** Words that a key contains as they are: keys keep the marks of other scripts. */
const PLAIN_WORD = /^[a-z\d]+$/

/** Returns a condition that all tags with these words and signs meet, and few others. Compare their names too. */
export const mayMatchTag = (text: string): RawBuilder<boolean> => {
  const words = nameTokens(text).filter((word) => PLAIN_WORD.test(word))
  const signed = signedText(text)
  const parts = words.map((word) => sql`replace(name_key, '++', 'pp') LIKE ${`%${word}%`}`)
  if (signed !== null)
    parts.push(sql`name_key LIKE ${`%${signed.replace(/[\\%_]/g, '\\$&')}%`} ESCAPE '\\'`)
  return parts.length === 0 ? sql`TRUE` : sql`(${sql.join(parts, sql` AND `)})`
}
