import { isUtf8 } from 'node:buffer'
import { isAbsolute, relative, sep } from 'node:path'
import { systemCode } from './system-errors.ts'

/**
 * Decodes a path of the operating system to text. File names are bytes: nearly always UTF-8, but not on some old
 * disks. Each byte that is not valid UTF-8 becomes a lone surrogate, U+DC80 to U+DCFF, so that `systemPath` can
 * restore it to open the file. Use `toWellFormed()` for display.
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

/** Returns the path in the form that system calls need. */
export const systemPath = (path: string): string | Buffer => {
  if (path.isWellFormed()) return path
  const parts = Array.from(path, (letter) => {
    const code = letter.charCodeAt(0)
    const isByte = letter.length === 1 && code >= 0xdc80 && code <= 0xdcff
    return isByte ? Buffer.of(code - 0xdc00) : Buffer.from(letter)
  })
  return Buffer.concat(parts)
}

/** Returns true if a path is `outer` or below it. Both are absolute. */
export const isInside = (outer: string, inner: string): boolean => {
  const path = relative(outer, inner)
  return path === '' || (path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path))
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

/** Returns a user-readable sentence why a file or folder could not be read. */
export const fileReason = (error: unknown): string => {
  const code = systemCode(error)
  return reasons[code ?? ''] ?? `It cannot be read${code === undefined ? '' : ` (${code})`}.`
}
