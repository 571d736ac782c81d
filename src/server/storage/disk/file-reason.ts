import { systemCode } from './system-errors.ts'

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
