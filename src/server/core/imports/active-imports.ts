import type { Import } from '#contract/import.ts'

/** What an import was asked for, with nothing left open. */
export type ImportPlan = Pick<
  Import,
  | 'import_id'
  | 'folder'
  | 'source'
  | 'boards'
  | 'board_name'
  | 'link'
  | 'watch'
  | 'dry_run'
  | 'left_out'
>

/** How far an import is, in files. */
export type ImportCounts = Pick<
  Import,
  'found' | 'is_counted' | 'taken_in' | 'linked' | 'known' | 'refused'
>

/** What is remembered of an import while it is under way. Dry runs are not. */
export type ActiveImport = Omit<ImportPlan, 'dry_run'> &
  ImportCounts & {
    /** Milliseconds since 1970. */
    startedAt: number
  }

/** Imports that have begun and not ended. When a library is opened, those that are there were cut off. */
export interface ActiveImportRecords {
  /** In place of what is remembered of its folder. */
  add(one: ActiveImport): Promise<void>
  /** How far it is by now. Nothing happens where it is not remembered. */
  update(importId: string, counts: ImportCounts): Promise<void>
  remove(importId: string): Promise<void>
  /** Newest first. */
  list(): Promise<ActiveImport[]>
}
