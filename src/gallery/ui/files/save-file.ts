/** Saves the content of a URL as a file with the browser's download function. */
export function saveUrl(url: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.rel = 'noopener'
  document.body.append(link)
  link.click()
  link.remove()
}

/** Saves text or bytes as a file with the browser's download function. */
export function saveFile(fileName: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  saveUrl(url, fileName)
  // Some browsers read the URL only after the click event.
  window.setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
