import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { LibraryError } from '#server/core/upkeep/library-state.ts'
import { imageFolder, imageFolders } from '#server/storage/disk/image-path.ts'
import { ignoreMissing } from '#server/storage/disk/system-errors.ts'
import { imagesIn } from './backup-manifest.ts'

export interface ImageFile {
  id: number
  image_name: string
  file_size: number
  /** SHA-256, hexadecimal. */
  content_hash: string
}

/**
 * A copy of a library's database, open for a backup or a restore. It uses only columns that exist in every version of the
 * schema, so that an older library can be backed up before its migration.
 */
export class LibraryCopy {
  readonly #database: Sqlite.Database

  /** @throws {LibraryError} The file is damaged, or is not the database of a library. */
  constructor(path: string, options: { readonly: boolean }) {
    this.#database = new Sqlite(path, { ...options, fileMustExist: true })
    try {
      this.#database.pragma('foreign_keys = ON')
      this.libraryId()
      this.images(0, 1)
    } catch (cause) {
      this.#database.close()
      throw new LibraryError(`${path} is not the database of a library.`, { cause })
    }
  }

  /** Returns the creation time of the library. It is unique per library and never changes. */
  libraryId(): string {
    const select = this.#database.prepare('SELECT min(timestamp) FROM kysely_migration').pluck()
    return String(select.get())
  }

  /** Returns images with an id greater than `after`, including those in the trash, sorted by id. */
  images(after: number, limit: number): ImageFile[] {
    const select = this.#database.prepare<[number, number], ImageFile>(`
      SELECT id, image_name, file_size, lower(hex(content_hash)) AS content_hash
      FROM images WHERE id > ? ORDER BY id LIMIT ?`)
    return select.all(after, limit)
  }

  totals(): { images: number; bytes: number } {
    const select = this.#database.prepare<[], { images: number; bytes: number }>(
      'SELECT count(*) AS images, coalesce(sum(file_size), 0) AS bytes FROM images',
    )
    return select.get() ?? { images: 0, bytes: 0 }
  }

  /** Returns those of the names that no image has. */
  withoutImage(imageNames: readonly string[]): string[] {
    const select = this.#database
      .prepare<[string], string>(
        `SELECT value FROM json_each(?)
         WHERE NOT EXISTS (SELECT 1 FROM images WHERE image_name = value)`,
      )
      .pluck()
    return select.all(JSON.stringify(imageNames))
  }

  /** Removes images. Triggers and foreign keys remove the dependent rows. */
  remove(imageNames: readonly string[]): void {
    this.#database
      .prepare('DELETE FROM images WHERE image_name IN (SELECT value FROM json_each(?))')
      .run(JSON.stringify(imageNames))
  }

  [Symbol.dispose](): void {
    this.#database.close()
  }
}

/** Yields the paths of image files that none of the libraries names, by folder. */
export async function* unnamedFiles(
  root: string,
  libraries: readonly LibraryCopy[],
): AsyncGenerator<string[]> {
  for (const folder of imageFolders) {
    const path = join(imagesIn(root), folder)
    const names = (await readdir(path).catch(ignoreMissing)) ?? []
    const unnamed = libraries.reduce(
      (left, library) => library.withoutImage(left),
      names.filter((name) => imageFolder(name) === folder),
    )
    yield unnamed.map((name) => join(path, name))
  }
}
