import { describe, expect, it, test } from 'vitest'
import { boardAnswer, invokeAiBoard } from '#testing/fake-fetch.ts'
import { boardOfAnswer, isUncategorized, uncategorizedBoard } from './board.ts'

describe('the record of a board (spec 2.1)', () => {
  test.each([
    'board_id',
    'board_name',
    'description',
    'created_at',
    'updated_at',
    'image_count',
    'starred',
  ])('has %s', (field) => {
    expect(boardOfAnswer(invokeAiBoard(), false)).toHaveProperty(field)
    expect(uncategorizedBoard()).toHaveProperty(field)
  })

  test.each(['description', 'created_at', 'updated_at', 'starred'])(
    'may have no %s: null, not undefined',
    (field) => {
      expect(uncategorizedBoard()).toHaveProperty(field, null)
    },
  )
})

describe('the factory of the uncategorized board (spec 2.1)', () => {
  it('gives it the id none and the name of the Assets tab', () => {
    expect(uncategorizedBoard()).toMatchObject({ board_id: 'none', board_name: 'Assets' })
  })

  it('counts no image unless told', () => {
    expect(uncategorizedBoard().image_count).toBe(0)
    expect(uncategorizedBoard(12).image_count).toBe(12)
  })
})

describe('is_uncategorized (spec 2.1)', () => {
  it('is true of the uncategorized board only', () => {
    expect(isUncategorized(uncategorizedBoard())).toBe(true)
    expect(isUncategorized(boardAnswer())).toBe(false)
    expect(isUncategorized({ board_id: null })).toBe(false)
  })
})

describe('a board from InvokeAI', () => {
  it('counts the images of every category (wire 11, row 1)', () => {
    const answer = invokeAiBoard({ image_count: 3, asset_count: 4 })

    expect(boardOfAnswer(answer, false).image_count).toBe(7)
  })

  it('has neither description nor star (wire 11, row 2)', () => {
    expect(boardOfAnswer(invokeAiBoard(), false)).toMatchObject({
      description: null,
      starred: null,
    })
  })

  it('counts as private only where there are several users (wire 11, row 3)', () => {
    const answer = invokeAiBoard({ board_visibility: 'private' })

    expect(boardOfAnswer(answer, false).is_private).toBe(false)
    expect(boardOfAnswer(answer, true).is_private).toBe(true)
  })
})

it('takes the record of our own server as it is', () => {
  const answer = boardAnswer({ image_count: 3, asset_count: 2, is_private: true, starred: true })

  expect(boardOfAnswer(answer, false)).toEqual(answer)
})
