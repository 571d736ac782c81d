import { createStore } from 'zustand'

/** Locale of numbers and dates; undefined uses the browser's. The text of the page is always English. */
const localeStore = createStore<{ locale: string | undefined }>(() => ({ locale: undefined }))

/** Sets the locale in tests, which must not depend on the language of the machine. */
export const setLocale = (locale: string | undefined): void => localeStore.setState({ locale })

/** Returns a function that creates a formatter on first use and caches it per locale, because creating one is slow. */
export function perLocale<T>(create: (locale: string | undefined) => T): () => T {
  let made: { locale: string | undefined; formatter: T } | null = null
  return () => {
    const { locale } = localeStore.getState()
    if (made === null || made.locale !== locale) made = { locale, formatter: create(locale) }
    return made.formatter
  }
}

/** Returns the language of formatted dates, for the `lang` of elements that contain little else. */
export const dateLanguage = perLocale(
  (tag) => new Intl.DateTimeFormat(tag).resolvedOptions().locale,
)
