import { isSystemFile } from '#gallery/uploads/file-fault.ts'

/** A dropped, pasted or picked file, or an entry that cannot be opened. */
export interface Found {
  readonly name: string
  /** Path of its folder, such as `Holiday/Day 1`. Empty for single files. */
  readonly folder: string
  /** null if it cannot be opened. */
  readonly file: File | null
}

const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Compares names in natural order: `shot 2` before `shot 10`. */
export const byName = (a: { name: string }, b: { name: string }): number =>
  natural.compare(a.name, b.name)

const toFile = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))

/** Reads a directory. `readEntries` returns up to 100 entries per call, and an empty list at the end. */
async function entriesOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader()
  const entries: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return entries
    entries.push(...some)
  }
}

const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile

/** Yields the files of each folder in a batch, before its subfolders. Reports entries that cannot be opened. */
export async function* walkEntries(
  entries: readonly FileSystemEntry[],
  folder = '',
): AsyncGenerator<readonly Found[]> {
  const files = entries.filter(isFile).filter(({ name }) => !isSystemFile(name))
  const batch = await Promise.all(
    files.sort(byName).map(async (entry): Promise<Found> => {
      return { name: entry.name, folder, file: await toFile(entry).catch(() => null) }
    }),
  )
  if (batch.length > 0) yield batch

  for (const directory of entries.filter(isDirectory).sort(byName)) {
    let inside: FileSystemEntry[]
    try {
      inside = await entriesOf(directory)
    } catch {
      yield [{ name: directory.name, folder, file: null }]
      continue
    }
    yield* walkEntries(inside, folder === '' ? directory.name : `${folder}/${directory.name}`)
  }
}
