import { opendir } from 'node:fs/promises'
import { systemPath } from '#server/storage/disk/system-path.ts'

/** What a directory says of a name in it. */
export type NameKind = 'file' | 'folder' | 'link'

/** A name as its bytes, one character each, and what it is: a million of them are held in one string each. */
type Packed = string

const codes = { file: 'f', folder: 'd', link: 'l' } as const
const kinds: Readonly<Record<string, NameKind>> = { f: 'file', d: 'folder', l: 'link' }

/** So many names are sorted at once: a few milliseconds. */
const NAMES_A_RUN = 8_192

/**
 * The names in a folder in the order of their bytes, which is that of their letters in UTF-8, whatever order
 * the file system has. They are read through once and sorted in parts, so nothing waits for a huge folder.
 *
 * @param isWanted - Asked with each name as text; others are not held.
 * @throws The system's error, when the folder cannot be read.
 */
export async function* listFolder(
  path: string,
  isWanted: (name: string, kind: NameKind) => boolean,
): AsyncGenerator<{ name: Buffer; kind: NameKind }> {
  const runs: Packed[][] = []
  let run: Packed[] = []
  for await (const { name, kind } of namesIn(path)) {
    if (!isWanted(Buffer.from(name, 'latin1').toString('utf8'), kind)) continue
    run.push(`${name}\0${codes[kind]}`)
    if (run.length < NAMES_A_RUN) continue
    runs.push(run.sort())
    run = []
  }
  runs.push(run.sort())
  for (const packed of merged(runs)) {
    const kind = kinds[packed.at(-1) ?? ''] ?? 'file'
    yield { name: Buffer.from(packed.slice(0, -2), 'latin1'), kind }
  }
}

async function* namesIn(path: string): AsyncGenerator<{ name: string; kind: NameKind }> {
  // latin1 gives each byte as a character, so that no name is lost that is not UTF-8.
  const directory = await opendir(systemPath(path), { encoding: 'latin1', bufferSize: 512 })
  for await (const entry of directory) {
    const { name } = entry
    if (entry.isFile()) yield { name, kind: 'file' }
    else if (entry.isDirectory()) yield { name, kind: 'folder' }
    else if (entry.isSymbolicLink()) yield { name, kind: 'link' }
  }
}

/** Sorted runs as one. There are few: a hundred hold a million names. */
function* merged(runs: Packed[][]): Generator<Packed> {
  const at = runs.map(() => 0)
  for (;;) {
    let least: Packed | undefined
    let from = -1
    for (const [index, run] of runs.entries()) {
      const next = run[at[index] ?? 0]
      if (next === undefined || (least !== undefined && next >= least)) continue
      least = next
      from = index
    }
    if (least === undefined) return
    at[from] = (at[from] ?? 0) + 1
    yield least
  }
}
