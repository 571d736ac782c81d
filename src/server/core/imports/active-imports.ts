import type { Import } from '#contract/import.ts'

/** Options of an import with defaults filled in. */
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

export type ImportCounts = Pick<
  Import,
  'found' | 'is_counted' | 'taken_in' | 'linked' | 'known' | 'refused'
>

/** Stored state of an active import. Dry runs are not stored. */
export type ActiveImport = Omit<ImportPlan, 'dry_run'> &
  ImportCounts & {
    /** Milliseconds since 1970. */
    startedAt: number
  }

/** Storage of active imports. Imports found when a library is opened were interrupted. */
export interface ActiveImportRecords {
  /** Stores an import and replaces another one of the same folder. */
  add(one: ActiveImport): Promise<void>
  /** Updates the counts. Does nothing if the import is not stored. */
  update(importId: string, counts: ImportCounts): Promise<void>
  remove(importId: string): Promise<void>
  /** Newest first. */
  list(): Promise<ActiveImport[]>
}
