import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { imagesOf, importToEnd, openImports, openTree } from '#testing/library/open-imports.ts'
import { openLibrary } from '#testing/library/open-library.ts'
import { drawnBytes, writeTree } from '#testing/library/write-tree.ts'
import { roundsOf } from '#testing/rounds.ts'

const paths = ['a.png', 'b.png', 'x/a.png', 'x/y/c.png', 'z/d.png']

/** The content of a path: one of a few images, so that many are equal, a broken file, or nothing. */
const content = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 9 }) },
  { weight: 1, arbitrary: fc.constantFrom('broken' as const, 'gone' as const) },
)

/** A change of the folder: the new content of some paths. */
const change = fc.dictionary(fc.constantFrom(...paths), content, { minKeys: 1, maxKeys: 5 })

test('imports each image once, however the folder changes between imports @long', async () => {
  const library = await openLibrary()
  const imports = openImports(library)
  const drawn = await drawnBytes('picture.png')
  const pictureOf = (number: number) => Buffer.concat([drawn, Buffer.alloc(number + 1)]) // distinguished by size, like a date
  const known = new Set<string>()

  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      const folder = await openTree({})
      const tree = new Map<string, number | 'broken'>()
      for (const changed of changes) {
        for (const [path, what] of Object.entries(changed)) {
          if (what === 'gone') {
            tree.delete(path)
            await rm(join(folder, path), { force: true })
          } else {
            tree.set(path, what)
            const bytes = what === 'broken' ? 'no picture' : pictureOf(what)
            await writeTree(folder, { [path]: bytes })
          }
        }
        const hashes = [...tree.values()]
          .filter((what) => what !== 'broken')
          .map((what) => createHash('sha256').update(pictureOf(what)).digest('hex'))
        const added = new Set(hashes.filter((hash) => !known.has(hash)))
        for (const hash of added) known.add(hash)

        const done = await importToEnd(imports, { folder })

        expect(done).toMatchObject({
          state: 'completed',
          found: tree.size,
          taken_in: added.size,
          known: hashes.length - added.size,
          refused: tree.size - hashes.length,
        })
        expect((await imagesOf(library)).map(({ hash }) => hash).sort()).toEqual([...known].sort())
      }
    }),
    { numRuns: roundsOf({ usual: 4, all: 12 }) },
  )
}, 120_000)
