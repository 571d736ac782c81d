import { isUtf8 } from 'node:buffer'
import { systemCode } from './system-errors.ts'

/**
 * A system's names are bytes: UTF-8 nearly always, and on some old disk something else. A path of ours is text
 * all the same: a byte that is no UTF-8 stands in it as a lone surrogate, U+DC80 to U+DCFF, so that the file can
 * be opened by it. `toWellFormed()` gives what a person may read.
 */
export const textOfPath = (bytes: Buffer): string => {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((n) => isUtf8(bytes.subarray(at, at + n)))
    if (length === undefined) text += String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
    else text += bytes.toString('utf8', at, at + length)
    at += length ?? 1
  }
  return text
}

/** The same path for a call of the system. */
export const systemPath = (path: string): string | Buffer => {
  if (path.isWellFormed()) return path
  const parts = Array.from(path, (letter) => {
    const code = letter.charCodeAt(0)
    const isByte = letter.length === 1 && code >= 0xdc80 && code <= 0xdcff
    return isByte ? Buffer.of(code - 0xdc00) : Buffer.from(letter)
  })
  return Buffer.concat(parts)
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'This user may not read it.',
  EPERM: 'This user may not read it.',
  ENOENT: 'It no longer exists.',
  ENOTDIR: 'It no longer exists.',
  ELOOP: 'It is a link to itself.',
  ENAMETOOLONG: 'Its path is too long for this system.',
  EIO: 'The disk could not read it.',
  EMFILE: 'Too many files are open on this machine.',
  ENFILE: 'Too many files are open on this machine.',
}

/** Why a file or a folder could not be read, in a sentence for a person. */
export const fileReason = (error: unknown): string => {
  const code = systemCode(error)
  return reasons[code ?? ''] ?? `It cannot be read${code === undefined ? '' : ` (${code})`}.`
}
