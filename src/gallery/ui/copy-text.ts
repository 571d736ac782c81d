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
