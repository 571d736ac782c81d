/** Saves text as a file, as if it had been downloaded. */
export function saveFile(fileName: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // Some browsers read the address only after the click is over.
  window.setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
