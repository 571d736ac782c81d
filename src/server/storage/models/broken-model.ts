/** A file is no model that can be used. The message says what is wrong with it, for the person who put it there. */
export class BrokenModel extends Error {
  override readonly name = 'BrokenModel'
}

/** What a file looks like whose copying or download has not come to its end. */
export const cutOff = (): BrokenModel => new BrokenModel('The file is cut off: its end is missing.')
