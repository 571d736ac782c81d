import type { SearchChanges } from '#contract/search/saved-searches.ts'
import type { TagChanges } from '#contract/search/tags.ts'
import type { ChangedGroup } from '#gallery/api/duplicate-requests.ts'
import type { ShownChange } from '#gallery/api/images/show-change.ts'
import type { UndoDetails, Value } from '#gallery/api/outbox/outbox-state.ts'
import type { ImagesByBoard } from '#gallery/api/outbox/outbox-work.ts'
import { kindsWithoutImages } from './journal-state.ts'

/** The targets of a step by their value before it; undefined if unknown. */
export type TargetsByBefore = Map<Value | undefined, readonly string[]>

/** A step of the outbox, with what reverts and repeats it. */
export interface StepRecipe {
  readonly kind: 'step'
  readonly options: Pick<ShownChange, 'aspect' | 'wanted' | 'board'> &
    Pick<UndoDetails, 'boardImages' | 'maxImages' | 'boardName' | 'description'> & {
      /** The images of a restore by the board on which it left them. Undo skips those that are on another one. */
      readonly restoredTo?: ImagesByBoard | undefined
    }
  readonly had: TargetsByBefore
}

/** Uploads, copies, imports, or items of the queue that create images. */
export interface WorkRecipe {
  readonly kind: 'work'
  readonly batchIds: readonly string[]
  readonly itemIds: readonly number[]
  /** The created images, known after an Undo has moved them to the trash. */
  readonly made: readonly string[]
  /** The created images by board. Undo skips those that are no longer on it. Absent: it skips none. */
  readonly boards?: ImagesByBoard
}

/** The steps of one action, such as renaming a group or restoring everything in the trash. Undo takes them in reverse. */
export interface StepsRecipe {
  readonly kind: 'steps'
  readonly steps: readonly StepRecipe[]
}

/** A change of the poster of a video. Times are in milliseconds; null is the frame that the server chooses. */
export interface PosterRecipe {
  readonly kind: 'poster'
  readonly videoName: string
  readonly before: number | null
  readonly after: number | null
}

/** A change of a saved search: the changed fields. null: there is no such search. */
export interface SearchRecipe {
  readonly kind: 'search'
  readonly searchId: string
  readonly before: SearchChanges | null
  readonly after: SearchChanges | null
}

/** A request that changes a tag. `changes` is null for its deletion. */
export interface TagRequest {
  readonly name: string
  readonly changes: Omit<TagChanges, 'name'> | null
}

/** A change of a tag, by which the server undoes it. */
export interface TagsRecipe {
  readonly kind: 'tags'
  readonly changeId: string
  readonly request: TagRequest
}

/** Resolved or dismissed groups of duplicates. */
export interface DuplicatesRecipe {
  readonly kind: 'duplicates'
  readonly change: 'resolved' | 'dismissed'
  readonly groups: readonly ChangedGroup[]
}

/** The data that Undo and Redo of an action need. */
export type Recipe =
  | StepRecipe
  | StepsRecipe
  | WorkRecipe
  | PosterRecipe
  | SearchRecipe
  | TagsRecipe
  | DuplicatesRecipe

const hasNoImages = (recipe: Recipe): recipe is PosterRecipe | SearchRecipe | TagsRecipe =>
  kindsWithoutImages.includes(recipe.kind)

export function countNames(recipe: Recipe): number {
  if (hasNoImages(recipe)) return 1
  if (recipe.kind === 'duplicates')
    return recipe.groups.reduce((sum, { names }) => sum + names.length, 0)
  if (recipe.kind === 'work') return recipe.made.length
  if (recipe.kind === 'steps') return recipe.steps.reduce((sum, step) => sum + countNames(step), 0)
  const targetCount = [...recipe.had.values()].reduce((sum, { length }) => sum + length, 0)
  return targetCount + (recipe.options.boardImages?.names.length ?? 0)
}

/** Returns a recipe without images that Undo has skipped. */
export function withoutTargets<R extends Recipe>(recipe: R, names: ReadonlySet<string>): R
export function withoutTargets(recipe: Recipe, names: ReadonlySet<string>): Recipe {
  if (hasNoImages(recipe)) return recipe
  const rest = (all: readonly string[]) => all.filter((name) => !names.has(name))
  if (recipe.kind === 'duplicates') {
    const isGone = ([keep = '']: readonly string[]) =>
      recipe.change === 'resolved' && names.has(keep)
    const groups = recipe.groups
      .filter((group) => !isGone(group.names))
      .map((group) => ({ ...group, names: rest(group.names) }))
    return { ...recipe, groups: groups.filter((group) => group.names.length > 1) }
  }
  if (recipe.kind === 'work') return { ...recipe, made: rest(recipe.made) }
  if (recipe.kind === 'steps') {
    return { ...recipe, steps: recipe.steps.map((step) => withoutTargets(step, names)) }
  }
  return { ...recipe, had: new Map([...recipe.had].map(([value, all]) => [value, rest(all)])) }
}

/** A recipe as IndexedDB stores it. Browsers clone one long string much faster than 10,000 short ones. */
export type PackedRecipe =
  | WorkRecipe
  | PosterRecipe
  | SearchRecipe
  | TagsRecipe
  | DuplicatesRecipe
  | PackedStep
  | { readonly kind: 'steps'; readonly steps: readonly PackedStep[] }

type PackedStep = Omit<StepRecipe, 'had' | 'options'> & {
  readonly options: Omit<StepRecipe['options'], 'boardImages' | 'restoredTo'>
  readonly boardImages?: { readonly names: string; readonly areTrashed: boolean }
  readonly restoredTo?: readonly (readonly [boardId: string, names: string])[]
  readonly had: readonly (readonly [Value | undefined, string])[]
}

export function packed(recipe: Recipe): PackedRecipe {
  if (recipe.kind === 'step') return packedStep(recipe)
  if (recipe.kind === 'steps') return { kind: 'steps', steps: recipe.steps.map(packedStep) }
  return recipe
}

function packedStep(recipe: StepRecipe): PackedStep {
  const { boardImages, restoredTo, ...options } = recipe.options
  return {
    kind: 'step',
    options,
    ...(boardImages && { boardImages: { ...boardImages, names: boardImages.names.join('\n') } }),
    ...(restoredTo && { restoredTo: restoredTo.map(([id, names]) => [id, names.join('\n')]) }),
    had: [...recipe.had].map(([value, names]) => [value, names.join('\n')]),
  }
}

export function unpacked(recipe: PackedRecipe): Recipe {
  if (recipe.kind === 'step') return unpackedStep(recipe)
  if (recipe.kind === 'steps') return { kind: 'steps', steps: recipe.steps.map(unpackedStep) }
  return recipe
}

function unpackedStep(recipe: PackedStep): StepRecipe {
  const { options, boardImages, restoredTo } = recipe
  return {
    kind: 'step',
    options: {
      ...options,
      ...(boardImages && { boardImages: { ...boardImages, names: namesIn(boardImages.names) } }),
      ...(restoredTo && { restoredTo: restoredTo.map(([id, names]) => [id, namesIn(names)]) }),
    },
    had: new Map(recipe.had.map(([value, names]) => [value, namesIn(names)])),
  }
}

const namesIn = (text: string): string[] => (text === '' ? [] : text.split('\n'))
