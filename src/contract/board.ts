import Type, { type Static } from 'typebox'
import { MAX_BOARD_NAME_LENGTH, MAX_DESCRIPTION_LENGTH, MAX_POSITION_LENGTH } from './limits.ts'
import { Nullable, pageOf, Timestamp } from './schema.ts'

/** Id of the uncategorized board. It always exists and cannot be deleted. Uploads to it omit the board id. */
export const UNCATEGORIZED_BOARD_ID = 'none'

/** Display name of the uncategorized board, as required by the specification. */
export const UNCATEGORIZED_BOARD_NAME = 'Assets'

/** Visibility of a board: who can see it. */
export const BoardVisibility = Type.Enum(['private', 'shared', 'public'])
export type BoardVisibility = Static<typeof BoardVisibility>

/** A board. The README lists the differences from InvokeAI's boards. */
export const Board = Type.Object({
  board_id: Type.String(),
  board_name: Type.String(),
  description: Nullable(Type.String()),
  user_id: Type.String({ description: '`system` on a server without accounts' }),
  created_at: Timestamp,
  updated_at: Timestamp,
  deleted_at: Nullable(Timestamp),
  last_added_at: Type.Optional(
    Nullable(
      Type.String({
        ...Timestamp,
        description: 'When an image was last added or moved to the board (extension). UTC',
      }),
    ),
  ),
  position: Type.Optional(
    Nullable(
      Type.String({
        description: 'The place in the order by hand (extension). null: the board was never moved',
      }),
    ),
  ),
  cover_image_name: Nullable(
    Type.String({
      description: 'The chosen cover. Otherwise the newest starred image, or the newest image',
    }),
  ),
  chosen_cover_image_name: Type.Optional(
    Nullable(
      Type.String({
        description:
          'The chosen cover, an image or a video, even if it is not on the board now (extension). null: none',
      }),
    ),
  ),
  archived: Type.Boolean(),
  board_visibility: BoardVisibility,
  is_private: Type.Boolean({ description: 'True if `board_visibility` is `private`' }),
  starred: Nullable(Type.Boolean()),
  cover_video_name: Nullable(
    Type.String({
      description:
        'The chosen cover if it is a video, or the newest video of a board without images and without a choice',
    }),
  ),
  image_count: Type.Integer({
    minimum: 0,
    description: 'Images of all categories, without intermediate images',
  }),
  video_count: Type.Integer({ minimum: 0 }),
  asset_count: Type.Integer({
    minimum: 0,
    description: 'Images of a category other than `general`, without intermediate images',
  }),
  owner_username: Nullable(Type.String()),
})
export type Board = Static<typeof Board>

/** A page of boards. `total` counts all matching boards, not those of the page. */
export const BoardsPage = pageOf(Board)
export type BoardsPage = Static<typeof BoardsPage>

/** Changes to a board. An absent or null key leaves the property unchanged. */
export const BoardChanges = Type.Object(
  {
    board_name: Type.Optional(Nullable(Type.String({ maxLength: MAX_BOARD_NAME_LENGTH }))),
    cover_image_name: Type.Optional(
      Nullable(Type.String({ description: 'An empty name removes the choice (extension)' })),
    ),
    cover_video_name: Type.Optional(
      Nullable(
        Type.String({
          description: 'Like `cover_image_name`, which wins. Both are one choice (extension)',
        }),
      ),
    ),
    archived: Type.Optional(Nullable(Type.Boolean())),
    board_visibility: Type.Optional(Nullable(BoardVisibility)),
    is_private: Type.Optional(Nullable(Type.Boolean())),
    description: Type.Optional(Nullable(Type.String({ maxLength: MAX_DESCRIPTION_LENGTH }))),
    starred: Type.Optional(Nullable(Type.Boolean())),
    position: Type.Optional(
      Nullable(
        Type.String({
          maxLength: MAX_POSITION_LENGTH,
          description: 'A key of `fractional-indexing`; empty: none (extension)',
        }),
      ),
    ),
  },
  { additionalProperties: false },
)
export type BoardChanges = Static<typeof BoardChanges>

/** Result of deleting a board. `deleted_board_images` lists the images if they were kept, including intermediates. */
export const DeleteBoardResult = Type.Object({
  board_id: Type.String(),
  deleted_board_images: Type.Array(Type.String()),
  deleted_images: Type.Array(Type.String()),
  deleted_board_videos: Type.Array(Type.String()),
  deleted_videos: Type.Array(Type.String()),
  failed_images: Type.Array(Type.String()),
  failed_videos: Type.Array(Type.String()),
})
export type DeleteBoardResult = Static<typeof DeleteBoardResult>
