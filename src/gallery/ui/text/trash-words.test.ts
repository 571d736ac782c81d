import { expect, test } from 'vitest'
import { trashWordsOf } from './trash-words.ts'

test.each([
  ['Castles', false, 12, 'Castles', '12 days left'],
  ['Portraits', true, 1, 'Portraits (deleted)', '1 day left'],
  [undefined, false, undefined, '', ''],
])(
  'describes an image of %j (deleted: %s)',
  (boardName, isBoardTrashed, days, origin, timeLeft) => {
    expect(trashWordsOf({ boardName, isBoardTrashed, days })).toEqual({ origin, timeLeft })
  },
)
