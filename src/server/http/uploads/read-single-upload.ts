import type { FastifyRequest } from 'fastify'
import { type FilePart, missingFile, readParts } from './read-parts.ts'

/**
 * Reads a body with one file. Parts arrive in any order: texts about the file may follow it.
 *
 * @param use - `texts` reads the rest of the body, once the file was read, and returns all texts by name.
 */
export async function readSingleUpload<T>(
  request: FastifyRequest,
  maxBytes: number,
  use: (file: FilePart, texts: () => Promise<ReadonlyMap<string, string>>) => Promise<T>,
): Promise<T> {
  const parts = readParts(request, maxBytes)
  const texts = new Map<string, string>()
  const nextFile = async (): Promise<FilePart | null> => {
    for (;;) {
      const { value: part } = await parts.next()
      if (!part) return null
      if (part.kind === 'file') return part
      texts.set(part.name, part.text)
    }
  }
  try {
    const file = await nextFile()
    if (file === null) throw missingFile()
    return await use(file, async () => {
      for (let more = await nextFile(); more !== null; more = await nextFile()) more.drop()
      return texts
    })
  } finally {
    await parts.return(undefined)
  }
}
