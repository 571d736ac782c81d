/** Numbers and dates follow the browser's language; the words of the page are English. Undefined: the browser's. */
let locale: string | undefined

/** For tests, which must not depend on the language of the machine. */
export function setLocale(tag: string | undefined): void {
  locale = tag
}

/** Creates a formatter when it is first used, and again for another locale: creating one is slow. */
export function perLocale<T>(create: (locale: string | undefined) => T): () => T {
  let made: { locale: string | undefined; formatter: T } | null = null
  return () => {
    if (made === null || made.locale !== locale) made = { locale, formatter: create(locale) }
    return made.formatter
  }
}

/** The language of formatted dates, for the `lang` of elements that contain little else. */
export const dateLanguage = perLocale(
  (tag) => new Intl.DateTimeFormat(tag).resolvedOptions().locale,
)
