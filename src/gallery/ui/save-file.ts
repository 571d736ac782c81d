/** Saves text as a file with the browser's download function. */
export function saveFile(fileName: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // Some browsers read the URL only after the click event.
  window.setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
