import { useEffect } from 'react'
import { isTyping } from '#gallery/ui/keys.ts'
import { foundInPicker, namePasted } from './chosen-files.ts'
import type { UploadTarget } from './upload.ts'
import { filesAdded } from './upload-actions.ts'

/** Uploads pictures that are pasted anywhere on the page. Text that is pasted into a field stays text. */
export function usePaste(target: UploadTarget): void {
  const { boardId, label } = target
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const data = event.clipboardData
      if (event.defaultPrevented || !data || data.files.length === 0) return
      // An office program puts a picture of the text beside the text.
      if (isTyping(event.target) && data.types.includes('text/plain')) return
      event.preventDefault()
      const now = new Date()
      const files = Array.from(data.files, (file) => namePasted(file, now))
      filesAdded(foundInPicker(files), { boardId, label })
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [boardId, label])
}
