/** The key of all lists of duplicates. A separate file, because the refresh needs it and the lists need the refresh. */
export const DUPLICATES_KEY = ['duplicates'] as const
