import { drawClip } from './draw-clip.ts'

/** Boxes that contain only boxes. */
const PARENTS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl'])

const box = (type: string, ...parts: readonly Uint8Array[]): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + parts.reduce((sum, { length }) => sum + length, 0))
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...parts])
}

/** Returns big-endian 32-bit numbers. */
const uint32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at)
  return bytes
}

const boxesIn = (bytes: Buffer): { type: string; content: Buffer }[] => {
  const found = []
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    found.push({ type, content: bytes.subarray(at + 8, at + size) })
    at += size
  }
  return found
}

type Edits = Readonly<Record<string, (content: Buffer) => Buffer | Buffer[]>>

/** Rewrites a box. An edit gets the content of each box of its type and returns another one, or whole boxes. */
const rewrite = (type: string, content: Buffer, edits: Edits): Buffer => {
  const inner = PARENTS.has(type)
    ? Buffer.concat(boxesIn(content).map((one) => rewrite(one.type, one.content, edits)))
    : content
  const edited = edits[type]?.(inner) ?? inner
  return Array.isArray(edited) ? Buffer.concat(edited) : box(type, edited)
}

/** Returns the parts of a clip with its index behind the pictures, so that edits of the index move no picture. */
const partsOf = (clip: Buffer) => {
  const boxes = boxesIn(clip)
  const contentOf = (type: string) =>
    boxes.find((one) => one.type === type)?.content ?? Buffer.alloc(0)
  const [type, pictures] = [box('ftyp', contentOf('ftyp')), box('mdat', contentOf('mdat'))]
  const moved = type.length - (clip.indexOf('mdat') - 4)
  const moov = rewrite('moov', contentOf('moov'), {
    stco: (content) => {
      const copy = Buffer.from(content)
      for (let at = 8; at + 4 <= copy.length; at += 4)
        copy.writeUInt32BE(copy.readUInt32BE(at) + moved, at)
      return copy
    },
  })
  return { head: Buffer.concat([type, pictures]), moov: moov.subarray(8) }
}

/** Changes the index of a clip. */
const edited = (clip: Buffer, edits: Edits): Buffer => {
  const { head, moov } = partsOf(clip)
  return Buffer.concat([head, rewrite('moov', moov, edits)])
}

const withUint32 = (at: number, value: number) => (content: Buffer) => {
  const copy = Buffer.from(content)
  copy.writeUInt32BE(value, at)
  return copy
}

/** Repeats the first frame 30 times per second. Its bytes are stored once. */
const repeated = (clip: Buffer, frames: number): Buffer => {
  const chunk = partsOf(clip).moov
  const offset = chunk.readUInt32BE(chunk.indexOf('stco') + 12)
  const bytes = chunk.readUInt32BE(chunk.indexOf('stsz') + 16)
  return edited(clip, {
    stts: () => uint32(0, 1, frames, 1),
    stsz: () => uint32(0, bytes, frames),
    stsc: () => uint32(0, 1, 1, 1, 1),
    stco: () => Buffer.concat([uint32(0, frames), Buffer.alloc(4 * frames, uint32(offset))]),
    stss: () => [],
    ctts: () => [],
    edts: () => [],
    mdhd: (content) => withUint32(16, frames)(withUint32(12, 30)(content)),
  })
}

/** An element of Matroska whose size is given, whatever it contains. */
const element = (id: string, content: Uint8Array, size = content.length): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(0x0100_0000 + Math.floor(size / 2 ** 32))
  head.writeUInt32BE(size % 2 ** 32, 4)
  return Buffer.concat([Buffer.from(id, 'hex'), head, content])
}

const matroskaHead = element('1a45dfa3', element('4282', Buffer.from('matroska')))
const SEGMENT = '18538067'

const matroska = (...parts: readonly Buffer[]): Buffer =>
  Buffer.concat([matroskaHead, element(SEGMENT, Buffer.concat(parts))])

/** Returns the description of the tracks of a clip, and its pictures. */
const matroskaParts = async () => {
  const clip = await drawClip({ container: 'mkv' })
  const cluster = clip.indexOf(Buffer.from('1f43b675', 'hex'))
  // Also named in the table of contents.
  const tracks = clip.lastIndexOf(Buffer.from('1654ae6b', 'hex'), cluster)
  return { tracks: clip.subarray(tracks, cluster), clusters: clip.subarray(cluster) }
}

const emptyBlocks = (count: number): Buffer => {
  const block = Buffer.from('a38481000080', 'hex')
  const blocks = Buffer.alloc(count * block.length, block)
  return element('1f43b675', Buffer.concat([Buffer.from('e78100', 'hex'), blocks]))
}

/** Files of a few megabytes that need far more time or memory than their size suggests, by name. */
export const hostileClips: Readonly<Record<string, () => Promise<Buffer>>> = {
  '10 hours in 1,080,000 frames': async () => repeated(await drawClip(), 1_080_000),
  'a frame that lasts 4,294,967,295 s': async () =>
    edited(await drawClip({ frames: 1 }), {
      stts: () => uint32(0, 1, 1, 2 ** 32 - 1),
      mdhd: (content) => withUint32(16, 2 ** 32 - 1)(withUint32(12, 1)(content)),
    }),
  '4,294,967,295 frames': async () =>
    edited(await drawClip(), {
      stts: () => uint32(0, 1, 2 ** 32 - 1, 1),
      stsz: () => uint32(0, 100, 2 ** 32 - 1),
    }),
  '4,294,967,295 frames of equal time in a table of one': async () =>
    edited(await drawClip(), { stts: () => uint32(0, 1, 2 ** 32 - 1, 0) }),
  'a table that claims 4,294,967,295 rows': async () =>
    edited(await drawClip(), {
      stts: withUint32(4, 2 ** 32 - 1),
      stco: withUint32(4, 2 ** 32 - 1),
    }),
  '1,000 tracks': async () =>
    edited(await drawClip(), {
      trak: (content) => Array.from({ length: 1_000 }, () => box('trak', content)),
    }),
  '1,000 tracks of 10,000 frames': async () =>
    edited(repeated(await drawClip(), 10_000), {
      trak: (content) => Array.from({ length: 1_000 }, () => box('trak', content)),
    }),
  'claimed 65,535 x 65,535 pixels': async () =>
    edited(await drawClip(), {
      stsd: (content) => withUint32(8 + 32, 2 ** 32 - 1)(content),
      tkhd: (content) => {
        const copy = Buffer.from(content)
        copy.writeUInt32BE(0xffff_0000, copy.length - 8)
        copy.writeUInt32BE(0xffff_0000, copy.length - 4)
        return copy
      },
    }),
  'pictures of 12 megapixels that claim 64 x 48': async () => {
    const large = await drawClip({ width: 4096, height: 3072, frames: 3 })
    return edited(large, { stsd: withUint32(8 + 32, (64 << 16) + 48) })
  },
  'pictures of 35 megapixels': () => drawClip({ width: 8192, height: 4320, frames: 3 }),
  'boxes nested 100,000 deep': async () => {
    let nested = Buffer.alloc(0) as Buffer
    const heads: Buffer[] = []
    for (let depth = 100_000; depth > 0; depth -= 1) {
      const head = Buffer.alloc(8)
      head.writeUInt32BE(8 * depth)
      head.write(depth % 2 === 0 ? 'moov' : 'trak', 4)
      heads.push(head)
    }
    nested = Buffer.concat(heads)
    return Buffer.concat([partsOf(await drawClip()).head, nested])
  },
  'boxes without content, 1,000,000 of them': async () => {
    const clip = await drawClip()
    return Buffer.concat([
      partsOf(clip).head,
      Buffer.alloc(8_000_000, box('free')),
      rewrite('moov', partsOf(clip).moov, {}),
    ])
  },
  'a box that is as large as its parent': async () =>
    edited(await drawClip(), { mdia: (content) => [box('mdia', box('mdia', content))] }),
  'a box of size 0 in the index': async () =>
    edited(await drawClip(), { mdhd: (content) => [uint32(0), Buffer.from('mdhd'), content] }),
  'fragments without frames, 200,000 of them': async () => {
    const clip = await drawClip()
    const fragment = box('moof', box('mfhd', uint32(0, 1)))
    return Buffer.concat([
      partsOf(clip).head,
      rewrite('moov', partsOf(clip).moov, {
        trak: (content) => [
          box('trak', content),
          box('mvex', box('trex', uint32(0, 1, 1, 100, 100, 0))),
        ],
        stts: () => uint32(0, 0),
        stsz: () => uint32(0, 0, 0),
        stco: () => uint32(0, 0),
        stsc: () => uint32(0, 0),
      }),
      Buffer.alloc(200_000 * fragment.length, fragment),
    ])
  },
  'texts of 30 MB': () => drawClip({ texts: { prompt: '{'.repeat(30_000_000) } }),
  '10,000 texts': () =>
    drawClip({
      texts: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`key${at}`, 'x'])),
    }),
  'Matroska: a table of contents that names itself': async () =>
    Buffer.concat([
      matroskaHead,
      element(
        SEGMENT,
        Buffer.alloc(
          4_000_000,
          element(
            '114d9b74',
            element(
              '4dbb',
              Buffer.concat([
                element('53ab', Buffer.from('114d9b74', 'hex')),
                element('53ac', Buffer.from([0])),
              ]),
            ),
          ),
        ),
      ),
    ]),
  'Matroska: elements nested 100,000 deep': async () => {
    const depth = 100_000
    const heads = Array.from({ length: depth }, (_, at) =>
      element('1f43b675', Buffer.alloc(0), 12 * (depth - at - 1)),
    )
    return Buffer.concat([matroskaHead, element(SEGMENT, Buffer.concat(heads))])
  },
  'Matroska: 1,000 tracks': async () => {
    const { tracks, clusters } = await matroskaParts()
    const track = tracks.subarray(8)
    return matroska(element('1654ae6b', Buffer.alloc(1_000 * track.length, track)), clusters)
  },
  'Matroska: 2,000,000 blocks without content': async () =>
    matroska((await matroskaParts()).tracks, emptyBlocks(2_000_000)),
  'Matroska: 2,000,000 blocks after tracks of the wrong size': async () => {
    const { tracks } = await matroskaParts()
    const wrong = Buffer.concat([tracks.subarray(0, 4), Buffer.from('53ac', 'hex'), tracks])
    return matroska(wrong, emptyBlocks(2_000_000))
  },
  'Matroska: 500,000 clusters without content': async () => {
    const cluster = element('1f43b675', Buffer.from('e78100', 'hex'))
    const clusters = Buffer.alloc(500_000 * cluster.length, cluster)
    return matroska((await matroskaParts()).tracks, clusters)
  },
}
