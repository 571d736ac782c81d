/** Whether the browser lets pages copy images. It does not on plain http. */
export const canCopyPictures = (): boolean =>
  typeof ClipboardItem === 'function' && typeof navigator.clipboard?.write === 'function'

/**
 * Puts a picture on the clipboard, as PNG: browsers accept no other format.
 *
 * @returns `false` if the browser refuses or the picture does not load.
 */
export async function copyPicture(url: string): Promise<boolean> {
  const load = async () => {
    const response = await fetch(url)
    if (!response.ok) throw new Error(`The picture did not load: ${response.status}`)
    const blob = await response.blob()
    return blob.type === 'image/png' ? blob : asPng(blob)
  }
  try {
    // A promise, not the blob: Safari allows the copy only in the same task as the click.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': load() })])
    return true
  } catch {
    return false
  }
}

async function asPng(blob: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(blob)
  const canvas = document.createElement('canvas')
  canvas.width = bitmap.width
  canvas.height = bitmap.height
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  bitmap.close()
  return new Promise((resolve, reject) => {
    canvas.toBlob((png) => (png ? resolve(png) : reject(new Error('No PNG was made'))), 'image/png')
  })
}

/**
 * Puts data of several types on the clipboard, without asking for permission.
 *
 * @returns `false` if the browser refuses.
 */
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

/**
 * Puts text on the clipboard.
 *
 * @returns `false` when the browser would not let it.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    // Missing on plain http, where a home network's gallery runs.
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text)
      return true
    }
  } catch {
    // Refused: the old way asks for no permission.
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
  // Inside the dialog that holds the focus: outside of it the focus would be taken back at once.
  const host = focused?.closest('[role="dialog"]') ?? document.body
  host.append(field)
  field.select()
  // Deprecated, so a browser may not have it.
  const isCopied = document.execCommand?.('copy') ?? false
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
