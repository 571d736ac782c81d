import { describe, expect, it, test } from 'vitest'
import { boardAnswer, invokeAiBoard } from '#testing/fake-fetch.ts'
import { boardOfAnswer, isUncategorized, uncategorizedBoard } from './board.ts'

describe('board record', () => {
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
    'allows null for %s',
    (field) => {
      expect(uncategorizedBoard()).toHaveProperty(field, null)
    },
  )
})

describe('uncategorizedBoard', () => {
  it('has the id none and the name of the Assets tab', () => {
    expect(uncategorizedBoard()).toMatchObject({ board_id: 'none', board_name: 'Assets' })
  })

  it('has no images by default', () => {
    expect(uncategorizedBoard().image_count).toBe(0)
    expect(uncategorizedBoard(12).image_count).toBe(12)
  })
})

describe('isUncategorized', () => {
  it('is true only for the uncategorized board', () => {
    expect(isUncategorized(uncategorizedBoard())).toBe(true)
    expect(isUncategorized(boardAnswer())).toBe(false)
    expect(isUncategorized({ board_id: null })).toBe(false)
  })
})

describe('board of an InvokeAI', () => {
  it('counts images of all categories', () => {
    const answer = invokeAiBoard({ image_count: 3, asset_count: 4 })

    expect(boardOfAnswer(answer, false).image_count).toBe(7)
  })

  it('has neither description nor star', () => {
    expect(boardOfAnswer(invokeAiBoard(), false)).toMatchObject({
      description: null,
      starred: null,
    })
  })

  it('is private only in multi-user mode', () => {
    const answer = invokeAiBoard({ board_visibility: 'private' })

    expect(boardOfAnswer(answer, false).is_private).toBe(false)
    expect(boardOfAnswer(answer, true).is_private).toBe(true)
  })
})

it('returns a Tessera record unchanged', () => {
  const answer = boardAnswer({ image_count: 3, asset_count: 2, is_private: true, starred: true })

  expect(boardOfAnswer(answer, false)).toEqual(answer)
})
