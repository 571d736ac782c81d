import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { isHidden, kindByName } from '#server/storage/import/image-file-names.ts'
import type { InvokeaiThread } from './invokeai-thread.ts'

/** Names that are looked up at once. */
const NAMES_A_STEP = 500

/**
 * Pictures below `outputs/images` that lie where no record of InvokeAI says, its thumbnails left out.
 *
 * @returns Their paths below that folder, `/` between names, in the order of a folder's names. Only what has
 *   no record is held in memory, however many files there are.
 */
export async function* unrecordedFiles(
  imagesFolder: string,
  thread: InvokeaiThread,
  signal: AbortSignal,
  below = '',
): AsyncGenerator<string> {
  const folders: string[] = []
  const found: string[] = []
  let names: string[] = []
  const lookUp = async () => {
    found.push(...(await unrecorded(names, below, thread)))
    names = []
  }
  for await (const entry of await opendir(join(imagesFolder, below))) {
    if (signal.aborted) return
    if (entry.isDirectory() && !(below === '' && entry.name === 'thumbnails'))
      folders.push(entry.name)
    if (!entry.isFile() || isHidden(entry.name) || kindByName(entry.name) !== 'image') continue
    if (names.push(entry.name) === NAMES_A_STEP) await lookUp()
  }
  await lookUp()
  for (const name of found.sort()) yield join(below, name)
  for (const name of folders.sort())
    yield* unrecordedFiles(imagesFolder, thread, signal, join(below, name))
}

const unrecorded = async (
  names: readonly string[],
  below: string,
  thread: InvokeaiThread,
): Promise<string[]> => {
  const rows = await thread.ask('placesOf', names)
  const claimed = new Set(
    rows.map((row) => join(String(row.image_subfolder), String(row.image_name))),
  )
  return names.filter((name) => !claimed.has(join(below, name)))
}
