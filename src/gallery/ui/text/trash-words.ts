import { countOf } from './count.ts'

interface TrashFacts {
  readonly boardName: string | undefined
  readonly isBoardTrashed: boolean
  /** Days until the image is permanently deleted. */
  readonly days: number | undefined
}

/** Returns the board of an image in the trash and the time left, as text. Unknown values are empty. */
export const trashWordsOf = ({ boardName = '', isBoardTrashed, days }: TrashFacts) => ({
  origin: isBoardTrashed ? `${boardName} (deleted)` : boardName,
  timeLeft: days === undefined ? '' : `${countOf(days, 'day')} left`,
})
