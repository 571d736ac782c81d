import { isSystemFile } from '#gallery/uploads/file-fault.ts'
import { byName, type Found } from './walk-entries.ts'

const folderOf = ({ webkitRelativePath = '' }: File): string =>
  webkitRelativePath.slice(0, Math.max(0, webkitRelativePath.lastIndexOf('/')))

/** Converts files of a picker or a paste, sorted by folder and name. Files of a picked folder have a path. */
export function foundFiles(files: Iterable<File>): Found[] {
  return Array.from(files)
    .filter(({ name }) => !isSystemFile(name))
    .map((file) => ({ name: file.name, folder: folderOf(file), file }))
    .sort((a, b) => byName({ name: a.folder }, { name: b.folder }) || byName(a, b))
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Renames a pasted image after the current time. Browsers name every pasted image `image.png`. */
export function namePasted(file: File, now: Date): File {
  if (!/^image\.\w+$/.test(file.name)) return file
  const date = [now.getFullYear(), twoDigits(now.getMonth() + 1), twoDigits(now.getDate())]
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(twoDigits)
  const extension = file.name.slice(file.name.lastIndexOf('.'))
  const name = `Pasted ${date.join('-')} ${time.join('.')}${extension}`
  return new File([file], name, { type: file.type, lastModified: now.getTime() })
}
