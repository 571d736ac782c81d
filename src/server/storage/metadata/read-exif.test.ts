import sharp, { type Exif } from 'sharp'
import { expect, test } from 'vitest'
import { decodeUserComment, readExif } from './read-exif.ts'

const exifOf = async (exif: Exif): Promise<Buffer> => {
  const jpeg = await sharp({ create: { width: 2, height: 2, channels: 3, background: '#000' } })
    .withExif(exif)
    .jpeg()
    .toBuffer()
  return (await sharp(jpeg).metadata()).exif ?? Buffer.alloc(0)
}

const withEncoding = (encoding: string, body: Buffer) =>
  Buffer.concat([Buffer.from(encoding.padEnd(8, '\0'), 'latin1'), body])

const text = 'Ünï 日本, Steps: 20'

test.each([
  ['UTF-16, big-endian', withEncoding('UNICODE', Buffer.from(text, 'utf16le').swap16())],
  ['UTF-16, little-endian', withEncoding('UNICODE', Buffer.from(text, 'utf16le'))],
  ['no encoding', withEncoding('', Buffer.from(text))],
  ['ASCII with UTF-8 text', withEncoding('ASCII', Buffer.from(text))],
  ['no header', Buffer.from(text)],
])('decodes a user comment: %s', (_, bytes) => {
  expect(decodeUserComment(bytes)).toBe(text)
})

test('applies the time zone offset of a date', async () => {
  const exif = await exifOf({
    IFD2: { DateTimeOriginal: '2026:03:01 14:00:00', OffsetTimeOriginal: '+02:00' },
  })

  expect(readExif(exif)?.takenAt).toBe(Date.UTC(2026, 2, 1, 12))
})

test('ignores the date of a clock that was never set', async () => {
  const exif = await exifOf({ IFD2: { DateTimeOriginal: '0000:00:00 00:00:00' } })

  expect(readExif(exif)?.takenAt).toBeNull()
})

test('does not repeat the maker of a camera if the model contains it', async () => {
  const exif = await exifOf({ IFD0: { Make: 'Canon', Model: 'Canon EOS R6' } })

  expect(readExif(exif)?.fields.camera).toBe('Canon EOS R6')
})

test('formats long exposures in seconds', async () => {
  const exif = await exifOf({ IFD2: { ExposureTime: '25/10', FNumber: '8/1' } })

  expect(readExif(exif)?.fields.exposure).toBe('2.5 s, f/8')
})

test.each([0, 5, 9, 14, 40])('does not throw for EXIF truncated after %d bytes', async (length) => {
  const exif = await exifOf({ IFD0: { Make: 'Canon' }, IFD2: { UserComment: 'hello' } })

  expect(() => readExif(exif.subarray(0, length))).not.toThrow()
})

test.each(['2024:13:45 25:61:61', '2024:02:31 10:00:00', '2024:06:31 00:00:00'])(
  'ignores the impossible date %s',
  async (date) => {
    const exif = await exifOf({ IFD2: { DateTimeOriginal: date } })

    expect(readExif(exif)?.takenAt).toBeNull()
  },
)

test('reads a comment of Chinese characters in the byte order of the block', () => {
  const comment = withEncoding('UNICODE', Buffer.from('湖上的灯塔，暮色，油画', 'utf16le').swap16())

  expect(decodeUserComment(comment, true)).toBe('湖上的灯塔，暮色，油画')
})
