import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withBareMediabunny } from '#bench/bare/with-bare-mediabunny.ts'
import { type Figure, median } from '#bench/figures.ts'
import { importInto } from '#bench/import.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { freeBox } from './draw-film.ts'

/** Compares imports of clips with a loop that only reads them and decodes one frame of each. */
export const importFigures = async (
  film: Buffer,
  { clips, rounds }: { clips: number; rounds: number },
): Promise<Figure[]> => {
  const folder = await createTemporaryFolder()
  const paths = Array.from({ length: clips }, (_, at) => join(folder, `${at}.mp4`))
  for (const [at, path] of paths.entries()) {
    await writeFile(path, film)
    await appendFile(path, freeBox(32, `${at}`))
  }
  const rates = { bare: [] as number[], own: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now()
    for (const path of paths) await withBareMediabunny(path)
    rates.bare.push((1000 * clips) / (performance.now() - began))
    const dataFolder = await createTemporaryFolder()
    rates.own.push(await importInto(dataFolder, folder))
    await removeFolder(dataFolder)
  }
  await removeFolder(folder)
  return [
    {
      name: `import of ${clips} clips of 5 MB`,
      value: median(rates.own),
      unit: 'clips/s',
      baseline: { name: 'bare mediabunny, one frame of each', value: median(rates.bare) },
      mark: '0.7 x',
    },
  ]
}
