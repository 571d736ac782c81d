import type { Import } from '#contract/import.ts'

/** Creates an import record, by default of a running import. */
export const importOf = (more: Partial<Import> = {}): Import => ({
  import_id: 'i',
  folder: '/home/ada/Pictures',
  source: 'folder',
  boards: 'folders',
  board_name: null,
  link: false,
  watch: false,
  dry_run: false,
  state: 'running',
  error: null,
  found: 12_431,
  is_counted: true,
  taken_in: 1204,
  linked: 0,
  known: 31,
  refused: 8,
  refusals: [],
  images_per_second: 42.4,
  seconds_left: 95,
  started_at: '2026-11-21 07:32:39.125',
  ended_at: null,
  ...more,
})
