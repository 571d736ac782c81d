import { fileOfCanvas } from '#gallery/ui/files/canvas-file.ts'

/** Returns true if the browser lets pages copy images. It does not on plain HTTP. */
export const canCopyPictures = (): boolean =>
  typeof ClipboardItem === 'function' && typeof navigator.clipboard?.write === 'function'

/** Copies an image as PNG, the only format of browsers. Returns `false` if it does not load or the browser refuses. */
export function copyPicture(url: string): Promise<boolean> {
  const load = async () => {
    const response = await fetch(url)
    if (!response.ok) throw new Error(`The picture did not load: ${response.status}`)
    return pngOf(await response.blob())
  }
  return copyPng(load())
}

/** Copies a PNG. It is a promise, because Safari allows the copy only in the same task as the click. */
export async function copyPng(png: Promise<Blob>): Promise<boolean> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })])
    return true
  } catch {
    return false
  }
}

/** Returns an image as PNG. */
export const pngOf = (image: Blob): Blob | Promise<Blob> =>
  image.type === 'image/png' ? image : asPng(image)

async function asPng(blob: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(blob)
  const canvas = document.createElement('canvas')
  canvas.width = bitmap.width
  canvas.height = bitmap.height
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  bitmap.close()
  return fileOfCanvas(canvas, 'image/png')
}

/** Copies data of several types, without asking for permission. Returns `false` if the browser refuses. */
export function copyData(data: Readonly<Record<string, string>>): boolean {
  const write = (event: ClipboardEvent) => {
    for (const [type, value] of Object.entries(data)) event.clipboardData?.setData(type, value)
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener('copy', write, { capture: true, once: true })
  try {
    return copyByCommand(data['text/plain'] ?? ' ')
  } finally {
    document.removeEventListener('copy', write, { capture: true })
  }
}

/** Copies text to the clipboard. Returns `false` if the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    // Missing on plain HTTP, which galleries in a home network use.
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text)
      return true
    }
  } catch {
    // The browser refused: `execCommand` needs no permission.
  }
  return copyByCommand(text)
}

function copyByCommand(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.setAttribute('aria-hidden', 'true')
  field.style.position = 'fixed'
  field.style.opacity = '0'
  // Inside the dialog with the focus trap: outside of it, the focus would be taken back at once.
  const host = focused?.closest('[role="dialog"]') ?? document.body
  host.append(field)
  field.select()
  // Deprecated, so browsers may remove it.
  const isCopied = document.execCommand?.('copy') ?? false
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
