import type { FolderListing } from '#contract/import-operations.ts'

/**
 * Looks into a folder of this machine, for choosing one to import.
 *
 * @param path - Absolute; null: the home folder of whoever runs the server.
 * @throws {Refusal} `folder_not_found`, `folder_unreadable`: with the folder and why.
 */
export type ListFolders = (path: string | null) => Promise<FolderListing>
