import { MAX_TAG_LENGTH } from '#contract/limits.ts'

/** Why a text is no name of a tag. A separate file, because only the dialogs need it. */
export const TAG_NAME_FAULT = `A tag has at most ${MAX_TAG_LENGTH} characters, and each level between / has a name.`
