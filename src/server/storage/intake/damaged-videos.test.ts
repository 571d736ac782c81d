import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImageCodec } from '#server/core/images/picture-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { drawClip } from '#testing/library/draw-clip.ts'
import { roundsOf } from '#testing/rounds.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { openCodecProcesses } from './open-file-intake.ts'

const CONTAINERS = ['mp4', 'mov', 'webm', 'mkv'] as const
const ROUNDS = roundsOf({ usual: 100, all: 3_000 })

let folder: string
let codec: ImageCodec & { close(): Promise<void> }
let clips: Map<string, Buffer>
beforeAll(async () => {
  folder = await createTemporaryFolder()
  codec = openCodecProcesses({ dataFolder: folder, maxPixels: 1_000_000 })
  const encodings = { mp4: 'avc', mov: 'hevc', webm: 'vp9', mkv: 'avc' } as const
  const drawn = CONTAINERS.map(async (container) => {
    const clip = await drawClip({ container, codec: encodings[container], hasSound: true })
    return [container, clip] as const
  })
  clips = new Map(await Promise.all(drawn))
})
afterAll(async () => {
  await codec.close()
  await removeFolder(folder)
})

/** A place in a file, as a part of its length. */
const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })

const damage = fc.oneof(
  fc.record({ cutAt: place }),
  fc.record({ at: place, bytes: fc.uint8Array({ minLength: 1, maxLength: 16 }) }),
  // Sizes of boxes that are 0, smaller than the box, or larger than the file.
  fc.record({
    at: place,
    bytes: fc.constantFrom(
      ...[0, 1, 4, 0x7fff_ffff, 0xffff_ffff].map((size) => {
        const bytes = Buffer.alloc(4)
        bytes.writeUInt32BE(size)
        return new Uint8Array(bytes)
      }),
    ),
  }),
  fc.record({ from: place, to: place, length: place }),
)

type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never

const damaged = (clip: Buffer, how: Damage): Buffer => {
  const at = (part: number) => Math.floor(part * clip.length)
  if ('cutAt' in how) return clip.subarray(0, at(how.cutAt))
  const copy = Buffer.from(clip)
  if ('bytes' in how) copy.set(how.bytes.subarray(0, clip.length - at(how.at)), at(how.at))
  else clip.copy(copy, at(how.to), at(how.from), at(how.from) + at(how.length))
  return copy
}

test('keeps or refuses a damaged video, and reads the next one', async () => {
  let count = 0
  const property = fc.asyncProperty(
    fc.constantFrom(...CONTAINERS),
    fc.array(damage, { minLength: 1, maxLength: 3 }),
    async (container, all) => {
      const clip = clips.get(container) ?? Buffer.alloc(0)
      count += 1
      const path = join(folder, `${count}.${container}`)
      await writeFile(path, all.reduce(damaged, clip))
      const decoded = await codec.decode(path, { kind: 'any' }).catch((error: unknown) => {
        if (error instanceof Refusal) return null
        throw error
      })
      if (decoded === null) return
      expect(decoded.width * decoded.height).toBeGreaterThan(0)
      expect(decoded.video?.duration_ms ?? 1).toBeGreaterThan(0)
    },
  )
  await fc.assert(property, { numRuns: ROUNDS })

  const path = join(folder, 'whole.mp4')
  await writeFile(path, clips.get('mp4') ?? '')
  expect((await codec.decode(path, { kind: 'any' })).video).toMatchObject({ codec: 'h264' })
}, 280_000)
